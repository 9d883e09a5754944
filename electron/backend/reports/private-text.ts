import type { PrivateWord } from '../store/reports-calls.ts'

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** What stands for an account that a report is not of, and for whatever else says who somebody is. */
const anybody = 'another account'
const address = /[\w.+-]+@[\w-]+(\.[\w-]+)+/gu

/**
 * Takes out of a text what says whose it is: names, ids and keys of accounts become what the model knows them by, of other
 * accounts and logins `another account`, and e-mail addresses go. Words of fewer than four characters are looked for as whole
 * words only, since they lie within others.
 */
export const withoutPrivateWords = (words: readonly PrivateWord[], pseudonyms: ReadonlyMap<string, string>): ((text: string) => string) => {
  const standIns = new Map<string, string>()
  for (const { word, account } of words) {
    const known = standIns.get(word.toLowerCase())
    const standIn = account === null ? undefined : pseudonyms.get(account)
    if (known === undefined || known === anybody) standIns.set(word.toLowerCase(), standIn ?? anybody)
  }
  const longestFirst = [...standIns.keys()].sort((one, other) => other.length - one.length)
  const sources = longestFirst.map((word) => (word.length < 4 ? String.raw`(?<![\p{L}\p{N}_])${literal(word)}(?![\p{L}\p{N}_])` : literal(word)))
  const any = sources.length === 0 ? null : new RegExp(sources.join('|'), 'giu')
  return (text) => {
    const plain = text.replace(address, '…')
    return any === null ? plain : plain.replace(any, (found) => standIns.get(found.toLowerCase()) ?? anybody)
  }
}
