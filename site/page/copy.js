/** A button on each piece of code, which copies it; what a program prints has none. */
for (const code of document.querySelectorAll('pre > code:not(.language-text)')) {
  const frame = document.createElement('div')
  frame.className = 'code'
  code.parentElement.replaceWith(frame)
  frame.append(code.parentElement)
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(code.textContent)
    button.textContent = 'Copied'
  })
  frame.append(button)
}
