/** How wide texts are in the page's font at this size, px: the widest of them; null where nothing can be drawn. */
export const widestText = (texts: readonly string[], fontSize: number): number | null => {
  const pen = document.createElement('canvas').getContext('2d')
  if (pen === null) return null
  pen.font = `${String(fontSize)}px ${getComputedStyle(document.body).fontFamily}`
  return Math.max(0, ...texts.map((text) => pen.measureText(text).width))
}
