const all: readonly string[] = ['UTC', ...Intl.supportedValuesOf('timeZone')]

const plain = (text: string): string => text.toLowerCase().replaceAll(/[_\s/]+/g, ' ').trim()

/** The zones whose name has this part, whatever its case and with blanks for `_` and `/`: the likely ones first, then all others by name. */
export const zonesFor = (part: string, likely: readonly string[]): string[] => {
  const wanted = plain(part)
  return [...new Set([...likely, ...all])].filter((zone) => plain(zone).includes(wanted))
}
