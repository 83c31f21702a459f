/** Adds a button to each piece of code that copies it. Output of programs has none. */
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
