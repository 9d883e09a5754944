import type { AboutTrades, Measure, MeasureName, ReportFact, Segment } from '#shared/api/reports.ts'
import { contradicts, isOfFrame, nameAgrees, showsInterval, showsMeasure, type ReportFrame } from './agree.ts'
import type { Mark, Name } from './marks.ts'
import type { Stretch } from './passages.ts'
import { nothingPending, nothingSpoken, piecesOf, type Pending, type Piece, type SaidFigure, type SaidName } from './pieces.ts'
import { readMarks } from './read-marks.ts'
import type { KnownNames } from './read-names.ts'
import { claimsMore, goesOn, saysTooMuch, strangeWords, takesBack, turnsAround } from './understood.ts'

/** What a text is held against. */
export type Grounds = ReportFrame & KnownNames & {
  readonly facts: ReadonlyMap<string, ReportFact>
  /** Plain facts by what they are of, as `aboutKey` writes it. */
  readonly byAbout: ReadonlyMap<string, ReportFact>
}

/**
 * What stands before a sentence: `scene` are the names that headings, lead-ins and words without a figure set it in, `told`
 * those that figures before it were told of; `isTurned`: something that may turn its claims around.
 */
export type Setting = { readonly scene: readonly Name[]; readonly told: readonly Name[]; readonly pending: Pending; readonly isTurned: boolean }

/** A checked stretch: its segment, how many claims it makes, and the words of those that failed. */
export type Checked = { readonly segment: Segment; readonly claims: number; readonly failed: readonly string[] }

/** A checked sentence, and what it leaves to those after it: names, and words that still wait for a figure. */
export type CheckedSentence = { readonly checked: readonly Checked[]; readonly scene: readonly Name[]; readonly told: readonly Name[]; readonly pending: Pending; readonly isTurned: boolean; readonly isTurnedAsLeadIn: boolean }

const [mostCited, mostClaims] = [8, 100]

/** What trades a fact is of, as text: equal for the same. */
export const aboutKey = ({ account, product, side, weekday, hour, day, heldFrom, heldTo }: AboutTrades): string => JSON.stringify([account, product, side, weekday, hour, day, heldFrom, heldTo])

/**
 * Checks a sentence stretch by stretch: each is what stands before a citation since the last one. A stretch is proved only
 * where each of its figures is a measure of a cited fact, in unit, sign, rounding and in what it measures, and each of its
 * names is what that fact is of. Where several facts are cited, each piece (between commas, 'and' and the like) belongs to
 * one of them by its names. It is proved only where each of its words is understood, and each before it in its sentence.
 */
export const checkSentence = (stretches: readonly Stretch[], grounds: Grounds, setting: Setting): CheckedSentence => {
  let pending = nothingPending
  let spoken = nothingSpoken
  let bare: readonly SaidName[] = []
  let last: readonly SaidName[] = []
  let { scene, told, isTurned } = setting
  const read = stretches.map(({ text }) => readMarks(text, grounds))
  const checked = stretches.map((stretch, index): Checked => {
    const [marks, behind] = [read[index] ?? [], read[index + 1] ?? []]
    const fallback = pending === nothingPending ? setting.pending : pending
    const { pieces, pending: left, spoken: after } = piecesOf(marks, fallback, spoken, stretch.cited.length > 1)
    spoken = after
    const own = pieces.flatMap(({ names }) => names)
    const hasFigures = pieces.some(({ figures }) => figures.length > 0)
    const carried = isWhole(own) ? [] : [...bare, ...(own.some(isNarrowing) ? [] : last)]
    const next = stretches[index + 1]
    const isEnd = next?.cited.length === 0
    const isTaken = hasFigures || isEnd ? goesOn(behind) || (isEnd && takesBack(next.text, behind)) : false
    const result = checkStretch(stretch, marks, pieces, { grounds, poison: (hasFigures && (left.poison || isTurned)) || isTaken, carried, scene, told })
    isTurned ||= strangeWords(marks).length > 0
    // What has no figure waits for the next stretch; what has one is done with.
    pending = hasFigures ? nothingPending : left
    if (own.some(isNarrowing)) {
      bare = hasFigures ? [] : own.slice(0, mostClaims)
      last = own.slice(0, mostClaims)
    }
    if (hasFigures) bare = []
    const names = own.map(({ name }) => name)
    if (hasFigures) told = lastOfEach([...told, ...names])
    else scene = lastOfEach([...scene, ...names])
    return result
  })
  const all = read.flat()
  return { checked, scene, told, pending, isTurned: turnsAround(all, false), isTurnedAsLeadIn: turnsAround(all, true) }
}

type Situation = { readonly grounds: Grounds; readonly poison: boolean; readonly carried: readonly SaidName[]; readonly scene: readonly Name[]; readonly told: readonly Name[] }

const isWhole = (names: readonly SaidName[]): boolean => names.some(({ name }) => name.field === 'whole')
// Names that pick out trades; a period or a zone is the same for all of them.
const isNarrowing = ({ name }: Pick<SaidName, 'name'>): boolean => !['whole', 'period', 'month', 'year', 'zone', 'span', 'others'].includes(name.field)

const checkStretch = ({ text, cited, isGlued }: Stretch, marks: readonly Mark[], pieces: readonly Piece[], situation: Situation): Checked => {
  const { grounds } = situation
  const names = pieces.flatMap((piece) => piece.names).filter(({ name }) => name.field !== 'whole' && name.field !== 'span' && name.field !== 'others')
  const figures = pieces.flatMap((piece) => piece.figures)
  const unreadable = marks.flatMap((mark) => (mark.is === 'unreadable' ? [mark.text] : []))
  const claims = names.length + figures.length + unreadable.length
  const [first = null] = cited
  const facts = cited.flatMap((id) => grounds.facts.get(id) ?? [])
  const isKnown = facts.length === cited.length && cited.length <= mostCited
  const result = (check: Segment['check'], failed: readonly string[]): Checked => ({ segment: { text, check, fact: isKnown ? first : null }, claims: Math.max(claims, check === 'unproved' ? 1 : 0), failed })
  if (!isKnown) return result('unproved', cited.filter((id) => !grounds.facts.has(id)).map((id) => `[${id}]`))
  if (claims === 0) return result('plain', [])
  if (claims > mostClaims) return result('unproved', [text.slice(0, 100)])
  const strange = figures.length > 0 || names.length > 0 ? strangeWords(marks) : []
  const isLoose = figures.length > 0 ? saysTooMuch(pieces) : claimsMore(marks)
  const failed = [...unreadable, ...strange, ...(isLoose ? [text.trim().slice(-100)] : []), ...(isGlued ? [text.trim().slice(-20)] : [])]
  if (cited.length === 0) failed.push(...figures.map((figure) => figure.text), ...names.filter(({ name }) => !isOfFrame(name, grounds)).map((name) => name.text))
  else if (situation.poison) failed.push(...(figures.length > 0 ? figures : names).map((said) => said.text))
  else failed.push(...(facts.length === 1 && facts[0] !== undefined ? failuresOfOne(pieces, facts[0], situation) : failuresOfSeveral(pieces, facts, situation)))
  return failed.length > 0 ? result('unproved', failed) : result('proved', [])
}

const failuresOfOne = (pieces: readonly Piece[], fact: ReportFact, situation: Situation): readonly string[] => {
  const names = pieces.flatMap((piece) => piece.names)
  return [...namesThatFail(names, fact, situation), ...figuresThatFail(pieces.flatMap(({ figures }) => figures), fact, names, situation)]
}

const namesThatFail = (names: readonly SaidName[], fact: ReportFact, { grounds, carried }: Situation): readonly string[] => {
  const narrowed = names.some(isNarrowing) || carried.some(isNarrowing)
  const own = names.filter(({ name }) => !(name.field === 'whole' && narrowed) && !nameAgrees(name, fact, grounds)).map(({ text }) => text)
  return [...own, ...carried.filter(({ name }) => isNarrowing({ name }) && !nameAgrees(name, fact, grounds)).map(({ text }) => text)]
}

const figuresThatFail = (figures: readonly SaidFigure[], fact: ReportFact, names: readonly SaidName[], situation: Situation): readonly string[] => {
  if (figures.length === 0) return []
  const said = [...names, ...situation.carried].map(({ name }) => name.field)
  // A date and a weekday each say both.
  const fields = new Set(said.flatMap((field): Name['field'][] => (field === 'day' || field === 'weekday' ? ['day', 'weekday'] : [field])))
  // What the words before set the scene in, or told of last, and these words do not replace.
  const isOwn = fields.has('whole') || [...names, ...situation.carried].some(isNarrowing)
  const differs = (name: Name): boolean => isNarrowing({ name }) && !fields.has(name.field) && !nameAgrees(name, fact, situation.grounds)
  const isElsewhere = situation.scene.some(differs) || (!isOwn && !fields.has('period') && !fields.has('span') && situation.told.some(differs)) || (!fields.has('whole') && situation.told.some((name) => !fields.has(name.field) && contradicts(name, fact.about)))
  return figures.filter((figure) => isElsewhere || !holds(figure, fact) || isOfMore(figure, fact, [...names, ...situation.carried], situation)).map(({ text }) => text)
}

/** Of each kind of name the one that was said last. */
export const lastOfEach = (names: readonly Name[]): readonly Name[] => [...new Map(names.map((name) => [name.field, name])).values()]

const holds = (said: SaidFigure, fact: ReportFact): boolean => {
  const { figure, measures, kind } = said
  if (figure.unit === 'time' ? (kind === 'early-exit') !== (fact.kind === 'early-exit') : kind !== null && kind !== fact.kind) return false
  if (figure.to !== null) return measures.length > 0 ? measures.includes('excess') && showsInterval(figure, fact.measures) : showsInterval(figure, fact.measures)
  const name = measures.find((one) => fact.measures.some((measure) => measure.name === one && isOfUnit(said, measure)))
  return name !== undefined && fact.measures.some((measure) => measure.name === name && isOfUnit(said, measure) && showsMeasure(figure, said.signs, said.own, measure))
}

const isOfUnit = ({ figure, isContracts }: SaidFigure, { name, unit }: Measure): boolean => {
  switch (figure.unit) {
    case 'money':
      return unit === 'money'
    case 'time':
      return unit === 'time'
    case 'share':
      return unit === 'share' || unit === 'chance'
    case 'one-in':
      return unit === 'chance'
    default:
      return isSize(name) ? unit === (isContracts ? 'contracts' : 'ratio') : unit !== 'money' && unit !== 'time'
  }
}

const isSize = (name: MeasureName): boolean => name === 'size' || name === 'size-other'

// The words name more trades than the fact is of, or none at all, and another fact tells of just those: then that one's figure is meant.
const isOfMore = (figure: SaidFigure, fact: ReportFact, names: readonly SaidName[], { grounds, scene, told }: Situation): boolean => {
  const before = [...scene, ...(names.some(isNarrowing) ? [] : told)]
  const said: { -readonly [field in keyof AboutTrades]: AboutTrades[field] } = Object.fromEntries(Object.entries(fact.about).filter(([field]) => names.some(({ name }) => name.field === field) || before.some((name) => name.field === field)))
  // `On Tuesday` speaks of all Tuesdays, also where a day is cited.
  const weekday = [...names.map(({ name }) => name), ...before].find(({ field }) => field === 'weekday')
  if (weekday?.field === 'weekday' && fact.about.weekday === undefined && said.day === undefined) said.weekday = weekday.value
  const isUnnamed = Object.keys(said).length === 0
  if (isUnnamed && Object.values(fact.about).some((value) => value !== undefined) && figure.figure.to === null && !figure.measures.includes('chance') && ![...names, ...before.map((name) => ({ name }))].some(isNarrowing)) return true
  if (isUnnamed && (figure.kind !== null || names.some(isNarrowing) || before.some((name) => isNarrowing({ name })))) return false
  const exact = grounds.byAbout.get(aboutKey(said))
  if (exact === undefined || exact.id === fact.id || (!isUnnamed && aboutKey(said) === aboutKey(fact.about))) return false
  const same = exact.measures.some((measure) => figure.measures[0] === measure.name && isOfUnit(figure, measure))
  return same && !holds(figure, exact)
}

// Each piece with a figure belongs to one fact: the one that its names pick out, or the one of the piece before.
const failuresOfSeveral = (pieces: readonly Piece[], facts: readonly ReportFact[], situation: Situation): readonly string[] => {
  const hasNames = pieces.some(({ names }) => names.some(isNarrowing))
  const failed: string[] = []
  let subject: readonly SaidName[] = []
  pieces.forEach((piece, index) => {
    const { names, figures } = piece
    const own = names.filter(isNarrowing)
    if (own.length > 0) subject = own
    if (figures.length === 0) {
      failed.push(...(facts.some((fact) => namesThatFail(names, fact, situation).length === 0) ? [] : names.map(({ text }) => text)))
      return
    }
    // `…, $50, on Tuesday`: whose figure that is nobody can tell.
    const isTornOff = own.length === 0 && hasNames && (subject.length === 0 || isBareName(pieces[index + 1]))
    const said = [...names, ...(own.length > 0 ? [] : subject)]
    const candidates = pickedOut(facts, said, situation)
    const proves = (fact: ReportFact): boolean => namesThatFail(said, fact, situation).length === 0 && figuresThatFail(figures, fact, said, situation).length === 0
    if (isTornOff || !(own.length > 0 || hasNames ? candidates.length > 0 && candidates.every(proves) : candidates.some(proves))) failed.push(...figures.map(({ text }) => text))
  })
  return failed
}

const isBareName = (piece: Piece | undefined): boolean => piece !== undefined && piece.figures.length === 0 && piece.names.some(isNarrowing)

// The facts that are of just what is named, else those that are of it among others.
const pickedOut = (facts: readonly ReportFact[], names: readonly SaidName[], situation: Situation): readonly ReportFact[] => {
  const fitting = facts.filter((fact) => namesThatFail(names, fact, situation).length === 0)
  const fields = new Set(names.filter(isNarrowing).map(({ name }) => name.field))
  const exact = fitting.filter(({ about }) => Object.entries(about).every(([field, value]) => value === undefined || fields.has(field as Name['field'])))
  return fields.size > 0 && exact.length > 0 ? exact : fitting
}
