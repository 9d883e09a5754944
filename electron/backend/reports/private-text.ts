import type { PrivateWord } from './rows.ts'


const literal = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/** What stands for an account that a report is not of, and for a login. */
const anybody = 'another account'
const trader = 'the trader'
const address = /[\w.+-]+@[\w-]+(\.[\w-]+)+/gu
const spaced = String.raw`[\p{Script=Latin}\p{N}_]`
const beginsSpaced = new RegExp(`^${spaced}`, 'u')
const endsSpaced = new RegExp(`${spaced}$`, 'u')

// Other scripts write without spaces, or put endings at a name: there it is looked for within words too.
const wholeWord = (word: string): string => `${beginsSpaced.test(word) ? `(?<!${spaced})` : ''}${literal(word)}${endsSpaced.test(word) ? `(?!${spaced})` : ''}`

/**
 * Takes out of a text what says whose it is: names, ids and keys of accounts become what the model knows them by, of other
 * accounts and logins `another account`, the user's own names `the trader`, and e-mail addresses go. Words are looked for
 * whole, since they lie within others.
 */
export const withoutPrivateWords = (words: readonly PrivateWord[], pseudonyms: ReadonlyMap<string, string>): ((text: string) => string) => {
  const told = words.map(({ word, account, trader: own }) => ({ word: word.toLowerCase(), is: (account === null ? undefined : pseudonyms.get(account)) ?? (own ? trader : anybody) }))
  // Of a word that is several of these, what tells most stands last.
  const [own, others, known] = [told.filter(({ is }) => is === trader), told.filter(({ is }) => is === anybody), told.filter(({ is }) => is !== trader && is !== anybody)]
  const standIns = new Map([...own, ...others, ...known].map(({ word, is }) => [word, is]))
  const longestFirst = [...standIns.keys()].sort((one, other) => other.length - one.length)
  const any = longestFirst.length === 0 ? null : new RegExp(longestFirst.map(wholeWord).join('|'), 'giu')
  return (text) => {
    const plain = text.replace(address, '…')
    return any === null ? plain : plain.replace(any, (found) => standIns.get(found.toLowerCase()) ?? anybody)
  }
}
