import type { Draw } from '#tests/helpers/exports/draw.ts'

/** What is changed in the words of something right: its references stay, and it says something else. */
export const wordKinds = ['word put in', 'preposition', 'subject', 'comparand', 'words behind', 'setting', 'direction', 'comparison', 'superlative', 'split word'] as const
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
const settings = ['If all is counted: ', 'Trades held under 7 seconds: ', 'Not what happened: ', 'What would have been: ', 'Trades held under 7 seconds were few. | ', 'Let us look at trades held over 9 hours. | ', 'You never lost. | ', 'Longs only, please. | ']
const directions = ['You made ', 'You lost ', 'A gain: ', 'A loss: ', 'You were up ', 'You were down ', 'Profit of ', 'You gave back ']
const comparisons = [' is higher than ', ' is lower than ', ' beats ', ' is better than ', ' and less than ', ' equals ', ' is worse than ']
const superlatives = ['Your best: ', 'Your worst: ', 'The highest was ', 'The most profitable is ', 'The lowest ', 'Top ', 'First comes ', 'The biggest ']

/** Something right, as `sentenceOf` reads it, in words that make it wrong; `other` is the id of another fact. */
export const reworded = (draw: Draw, right: string, kind: WordKind, other: string): string => {
  // The place before one of its references, or right behind one.
  const at = (isBehind: boolean): number => draw.pick([...right.matchAll(/\{[^}]*\}/gu)].map(({ 0: whole, index }) => (isBehind ? index + whole.length : index)))
  const put = (text: string, place: number): string => `${right.slice(0, place)}${text}${right.slice(place)}`
  switch (kind) {
    case 'word put in':
      return draw.chance(0.5) ? put(`${draw.pick(strange)} `, at(false)) : put(` ${draw.pick(strange)} `, at(true))
    case 'preposition':
      return put(`${draw.pick(prepositions)} `, at(false))
    case 'subject':
      return put(`${draw.pick(subjects)} on `, at(false))
    case 'comparand':
      return put(` ${draw.pick(['more', 'less', 'better'])} than ${draw.pick(comparands)}`, at(true))
    case 'words behind':
      return put(draw.pick(behind), at(true))
    case 'setting':
      return `${draw.pick(settings)}${right}`
    case 'direction':
      return put(draw.pick(directions), at(false))
    case 'comparison':
      return put(`${draw.pick(comparisons)}{${other} net}`, at(true))
    case 'superlative':
      return put(draw.pick(superlatives), at(false))
    case 'split word':
      return put(draw.pick(['ne{}ver ', 'n{}ot ', 'lo{}st ', 'ha{}lf ']).replace('{}', '\u0000'), at(false))
  }
}
