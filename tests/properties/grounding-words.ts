import type { Draw } from '#tests/helpers/exports/draw.ts'
import { whoOf, writeSaid, type Said } from './grounding-cases.ts'

/** What is changed in the words of something right: its figures and names stay, and it says something else. */
export const wordKinds = ['word put in', 'preposition', 'subject', 'comparand', 'words behind', 'setting'] as const
export type WordKind = (typeof wordKinds)[number]

// Negating, narrowing, of another time or mood, or of something that no fact is about.
const strange = (
  'not never no hardly without barely nearly almost allegedly supposedly maybe perhaps possibly probably reportedly hopefully could would should might may will must cannot ' +
  'best worst strongest weakest early late good bad first second last next previous final opening main typical usual lucky unlucky funded live paper demo virtual hypothetical planned expected missed half twice double both another ' +
  'scalping scalps breakouts reversals runners news trend lunch morning overnight weekend yesterday today tomorrow friends strangers market index copier wife nobody somebody everyone rivals ' +
  'tried failed wanted hoped refused forgot pretended lied joked dreamt until since except outside unlike beyond besides minus excluding per daily weekly monthly squared times'
).split(' ')
const prepositions = 'since until till before after outside beyond besides except without excluding around about near toward than like unlike minus less past by to ex aside save despite instead barring'.split(' ')
const subjects = ['your winners', 'your best trades', 'half of your trades', 'your first trade', 'scalps', 'your copier', 'the losers', 'the other trades', 'your wins', 'your losses', 'a single trade', 'one trade', 'no trade', 'trades that won', 'all trades but those', 'green days', 'profitable trades', 'the early exits', 'your early entries', 'two contracts', 'the rest', 'a streak']
const comparands = ['the market', 'the best day', 'your total', 'last week', 'usual', 'the report', 'Saturdays', 'the average', 'planned', 'your trades', 'zero', 'your wins', 'the other half', 'a year ago', 'the net', 'ever', 'Account Z', 'the gross']

const behind = [' on paper', ' on Saturdays', ', on Saturdays', ' a day', ' per contract', ' thousand', ' less than planned', ', if all is counted', ', without costs', ' in commission', ' each', ' or so', ' for a friend', ' in theory', ', excluding losses', ' of it', ' more', ' in part', '0', 'k', ' %', ' too little', ' a week', ' against you']
const settings = ['## If all is counted\n\n', '## Trades held under 7 seconds\n\n', '## Not what happened\n\n', '## What would have been\n\n', 'Trades held under 7 seconds were few. ', 'Let us look at trades held over 9 hours. ']

/** A changed text, and the stretch of it that is now wrong. */
export type Reworded = { readonly raw: string; readonly stretch: string }

/** Something right in words that make it wrong; null where the change does not apply. */
export const reworded = (draw: Draw, said: Said, kind: WordKind): Reworded | null => {
  const { raw, stretches } = writeSaid(said)
  const last = stretches.at(-1)?.text ?? ''
  if (kind === 'words behind') return { raw: raw.replace(/\.$/, () => `${draw.pick(behind)}.`), stretch: last }
  // A sentence begins with a letter.
  if (kind === 'setting') return !/^\p{L}/u.test(raw) ? { raw: `${draw.pick(settings.slice(0, 4))}${raw}`, stretch: last } : { raw: `${draw.pick(settings)}${raw.charAt(0).toUpperCase()}${raw.slice(1)}`, stretch: stretches.length > 1 ? last : `${last.charAt(0).toUpperCase()}${last.slice(1)}` }
  const at = draw.between(0, stretches.length - 1)
  const [text, clause] = [stretches[at]?.text ?? '', stretches[at]?.clauses[0]]
  const changed = change(draw, text, whoOf(clause?.names ?? []), kind)
  // Bold says nothing, and would stand between the text and its stretch.
  return changed === null || changed === text ? null : { raw: raw.replaceAll('**', '').replace(text, () => changed), stretch: changed }
}

const change = (draw: Draw, text: string, who: string, kind: Exclude<WordKind, 'words behind' | 'setting'>): string | null => {
  switch (kind) {
    case 'word put in': {
      const places = [0, ...[...text.matchAll(/ /g)].map(({ index }) => index + 1)]
      const place = draw.pick(places)
      return `${text.slice(0, place)}${draw.pick(strange)} ${text.slice(place)}`
    }
    case 'preposition':
      return who === '' ? null : text.replace(who, () => `${draw.pick(prepositions)} ${who}`)
    case 'subject':
      return who === '' ? null : text.replace(who, () => `${draw.pick(subjects)} on ${who}`)
    case 'comparand':
      return text.replace('the others', () => draw.pick(comparands))
  }
}
