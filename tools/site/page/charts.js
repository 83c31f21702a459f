/** Puts each chart of the page into a frame in which it can be zoomed and dragged. Without this script the page shows the whole picture. */
for (const image of document.querySelectorAll('main p > a > img[src$=".svg"]')) {
  const [view, frame] = ['view', 'drawing'].map(name => {
    const made = document.createElement('div')
    made.className = name
    return made
  })
  frame.tabIndex = 0
  frame.setAttribute('role', 'region')
  frame.setAttribute('aria-label', image.alt)
  const thumbnail = image.cloneNode()
  thumbnail.className = 'thumbnail'
  thumbnail.alt = ''
  image.draggable = false
  image.closest('p').replaceWith(view)
  view.append(frame)
  const shown = new View(frame)
  const [x, y] = image.dataset.start.split(' ').map(Number)
  const show = () =>
    shown.show(image, { width: image.naturalWidth, height: image.naturalHeight }, thumbnail, { x, y })
  if (image.complete) show()
  else image.addEventListener('load', show, { once: true })
}
