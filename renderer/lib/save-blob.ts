/** Saves something created in the page as a file, like a browser download. */
export const saveBlob = (name: string, content: Blob): void => {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download began with the click; the URL may be revoked in the next turn.
  setTimeout(() => { URL.revokeObjectURL(address) })
}
