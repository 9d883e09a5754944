import type { PrivateWord } from './rows.ts'

const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** Replaces logins and accounts outside the report. */
const otherAccount = 'another account'
const trader = 'the trader'
const address = /[\w.+-]+@[\w-]+(\.[\w-]+)+/gu
const spaced = String.raw`[\p{Script=Latin}\p{N}_]`
const beginsSpaced = new RegExp(`^${spaced}`, 'u')
const endsSpaced = new RegExp(`${spaced}$`, 'u')

// Other scripts write without spaces or add endings to names: there, match within words too.
const wholeWord = (word: string): string => `${beginsSpaced.test(word) ? `(?<!${spaced})` : ''}${literal(word)}${endsSpaced.test(word) ? `(?!${spaced})` : ''}`

/**
 * Anonymizes a text: names, ids and keys of the report's accounts become their pseudonyms, those of other accounts and logins
 * `another account`, the user's own names `the trader`, and email addresses are removed. Matches whole words only, since a
 * short name may be part of another word.
 */
export const withoutPrivateWords = (words: readonly PrivateWord[], pseudonyms: ReadonlyMap<string, string>): ((text: string) => string) => {
  const replacements = words.map(({ word, account, trader: isTrader }) => ({ word: word.toLowerCase(), by: (account === null ? undefined : pseudonyms.get(account)) ?? (isTrader ? trader : otherAccount) }))
  // A word may have several replacements: the last one wins, so the most specific ones come last.
  const ofTrader = replacements.filter(({ by }) => by === trader)
  const ofOthers = replacements.filter(({ by }) => by === otherAccount)
  const ofReport = replacements.filter(({ by }) => by !== trader && by !== otherAccount)
  const byWord = new Map([...ofTrader, ...ofOthers, ...ofReport].map(({ word, by }) => [word, by]))
  const longestFirst = [...byWord.keys()].sort((one, other) => other.length - one.length)
  const any = longestFirst.length === 0 ? null : new RegExp(longestFirst.map(wholeWord).join('|'), 'giu')
  return (text) => {
    const plain = text.replace(address, '…')
    return any === null ? plain : plain.replace(any, (found) => byWord.get(found.toLowerCase()) ?? otherAccount)
  }
}
