/** What all pages have around them. @module */
export const metadata = { title: 'Over 18?' }

export default function Layout({ children }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
