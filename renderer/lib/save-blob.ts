/** Saves something that the page has made as a file, as the browser saves downloads. */
export const saveBlob = (name: string, content: Blob): void => {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has begun with the click; the address may go with the next turn.
  setTimeout(() => { URL.revokeObjectURL(address) })
}
