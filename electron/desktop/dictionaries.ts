/** Picks the spelling dictionaries for a language: its own first, then the system's variant of English, because traders' notes are full of English. */
export const dictionariesFor = (tag: string, systemTags: readonly string[], available: readonly string[]): string[] => {
  const stem = (name: string): string => name.split('-')[0]?.toLowerCase() ?? ''
  const best = (wanted: string): string | undefined =>
    [tag, ...systemTags].filter((one) => stem(one) === wanted).map((one) => available.find((name) => name.toLowerCase() === one.toLowerCase())).find((name) => name !== undefined) ??
    available.find((name) => name === (wanted === 'en' ? 'en-US' : wanted)) ??
    available.find((name) => stem(name) === wanted)
  return [...new Set([best(stem(tag)), best('en')].filter((name) => name !== undefined))]
}
