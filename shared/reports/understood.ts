import type { MeasureName } from '#shared/api/reports.ts'
import type { Mark } from './marks.ts'
import type { Piece } from './pieces.ts'
import { groupWords } from './vocabulary.ts'

/** The words of a text that are not understood, as they stand there; one of them keeps its whole stretch from being proved. */
export const strangeWords = (marks: readonly Mark[]): readonly string[] => marks.flatMap((mark) => (mark.is === 'word' && !mark.known ? [mark.text] : []))

/** Whether a heading or a lead-in says what may turn the claims under it around; `isLeadIn`: also what is not understood, but for words like 'by weekday'. */
export const turnsAround = (marks: readonly Mark[], isLeadIn: boolean): boolean =>
  marks.some((mark) => (mark.is === 'poison' && (isLeadIn || mark.text === 'not' || mark.text === 'if'))) || (isLeadIn && strangeWords(marks).some((word) => !groupWords.has(word.toLowerCase())))

/** Whether words behind a citation, up to the next break or figure, may still speak of the figure before it: `You made $50 [f1] on paper`. */
export const goesOn = (marks: readonly Mark[]): boolean => {
  const end = marks.findIndex(({ is }) => is === 'break' || is === 'figure')
  return marks.slice(0, end < 0 ? marks.length : end).some((mark) => mark.is !== 'word' || !mark.known)
}

/** Whether the uncited end of a sentence takes back or narrows what stands before it: `…, if all is counted`, `…, on Mondays`. */
export const takesBack = (text: string, marks: readonly Mark[]): boolean =>
  marks.some((mark) => (mark.is === 'poison' && mark.text === 'if') || (mark.is === 'break' && mark.against)) ||
  (marks.some(({ is }) => is === 'name') && !newClause.test(text) && marks.every((mark) => mark.is === 'name' || mark.is === 'break' || (mark.is === 'word' && mark.known)))

const newClause = /^\W{0,4}(?:and|but|while|whereas|although|though|yet|then)\b/iu
const claiming: ReadonlySet<Mark['is']> = new Set(['sign', 'label', 'more', 'other', 'poison', 'sum'])
const summed: ReadonlySet<MeasureName> = new Set(['net', 'gross', 'commission', 'trades', 'wins', 'losses', 'days', 'given-back'])

/** Whether a stretch without a figure says more of its names than what they are: 'Mondays made money'. */
export const claimsMore = (marks: readonly Mark[]): boolean => marks.some((mark) => claiming.has(mark.is) || isOutcome(mark))

/**
 * Whether the pieces of a stretch with figures say something that no figure tells: what was won or lost without saying how
 * much, money of wins or losses alone, days, contracts or one trade that are not counted, money of a time, trades that their
 * result picks out, the average of all in place of the others', or the sum of what is no sum.
 */
export const saysTooMuch = (pieces: readonly Piece[]): boolean => {
  const counted = new Set<string>()
  return pieces.some((piece) => {
    const { marks, consumed, figures, isAgainst } = piece
    const hasMoney = figures.some(({ figure }) => figure.unit === 'money')
    const own = outcomesOf(piece)
    for (const outcome of own) counted.add(outcome)
    const isOfOne = hasMoney && counted.size === 1 && (own.length > 0 || !marks.some(({ is }) => is === 'label'))
    if (figures.length === 0) return marks.some((mark) => mark.is === 'sign' || mark.is === 'more' || isOutcome(mark))
    const uncounted = marks.some((mark, at) => mark.is === 'noun' && (mark.noun === 'days' || mark.noun === 'contracts' || mark.one === true) && !consumed.has(at))
    const isTimed = figures.some(({ figure }) => figure.unit === 'time') && figures.some(({ figure }) => figure.unit !== 'time')
    const isNoSum = marks.some(({ is }) => is === 'sum') && figures.some(({ measures }) => !measures.every((name) => summed.has(name)))
    const counts = new Set(figures.flatMap(({ measures }) => measures.filter((name) => plainCounts.has(name))))
    const isPicked = marks.some((mark, at) => isOutcome(mark) && !consumed.has(at)) && counts.size > 0 && (countsOutcome(marks, consumed) || !(counts.has('wins') || counts.has('losses')))
    const isAgainstAll = isAgainst && !marks.some(({ is }) => is === 'other') && figures.some(({ measures }) => measures.some((name) => name.endsWith('-other'))) && marks.some((mark, at) => (mark.is === 'name' && mark.name.field === 'whole') || (mark.is === 'label' && mark.label !== 'hold') || (mark.is === 'noun' && mark.noun === 'trades' && !consumed.has(at)))
    return isOfOne || uncounted || isPicked || isAgainstAll || picksBySign(marks) || isTimed || isNoSum
  })
}

const isOutcome = (mark: Mark | undefined): boolean => mark?.is === 'noun' && (mark.noun === 'wins' || mark.noun === 'losses')

const plainCounts: ReadonlySet<MeasureName> = new Set(['trades', 'wins', 'losses', 'days'])

// A sign that picks out trades: 'green days', 'profitable trades'.
const picksBySign = (marks: readonly Mark[]): boolean => marks.some((mark, at) => mark.is === 'sign' && mark.of !== 'money' && ['noun', 'name'].includes(marks[at + 1]?.is ?? ''))

const countsOutcome = (marks: readonly Mark[], consumed: ReadonlySet<number>): boolean => [...consumed].some((at) => isOutcome(marks[at]))

// Which of wins and losses a piece counts: '22 wins', 'won 22 trades'.
const outcomesOf = ({ marks, consumed, figures }: Piece): readonly string[] => {
  const nouns = [...consumed].flatMap((at) => (isOutcome(marks[at]) ? [outcomeOf(marks[at])] : []))
  const isCount = figures.length > 0 && figures.every(({ figure }) => figure.unit === 'number')
  return [...nouns, ...(isCount ? marks.flatMap((mark) => (mark.is === 'sign' && mark.of === 'trades' ? [mark.sign > 0 ? 'wins' : 'losses'] : [])) : [])]
}

const outcomeOf = (mark: Mark | undefined): string => (mark?.is === 'noun' ? mark.noun : '')
