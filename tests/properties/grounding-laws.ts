import { createFormat } from '#renderer/lib/format.ts'
import english from '#renderer/i18n/locales/en/ai-report.json' with { type: 'json' }
import { narrativeWords } from '#renderer/features/ai-report/narrative-words.ts'
import { reportWords } from '#renderer/features/ai-report/report-words.ts'
import type { Segment } from '#shared/api/reports.ts'
import { groundNarrative } from '#shared/reports/grounding.ts'
import { drawOf } from '#tests/helpers/exports/draw.ts'
import { answerOf } from '#tests/helpers/narrative-answer.ts'
import { createInstance } from 'i18next'
import { drawKnown, renderings, type Drawn } from './grounding-cases.ts'
import { mutated, mutationKinds } from './grounding-mutations.ts'
import { isSo } from './grounding-oracle.ts'
import { reworded, wordKinds } from './grounding-words.ts'

const i18n = createInstance()
await i18n.init({ lng: 'en', resources: { en: { 'ai-report': english } }, interpolation: { escapeValue: false } })
const t = i18n.getFixedT('en', 'ai-report')
const format = createFormat('en', 'UTC')

/** What came of a run: how many right sentences there were and how many were proved, how many wrong ones and how many of these were caught, and what was judged or written badly. */
export type GroundingRun = { right: number; proved: number; wrong: number; caught: number; swapped: number; readonly byKind: Map<string, number>; readonly missed: string[]; readonly doubted: string[]; readonly untrue: string[] }

/** Draws so many mutations, of references and of words, each of something right in a rendering of twenty; what is proved is read back from its words by arithmetic of its own. */
export const runGrounding = (mutations: number, seed: number): GroundingRun => {
  const run: GroundingRun = { right: 0, proved: 0, wrong: 0, caught: 0, swapped: 0, byKind: new Map(), missed: [], doubted: [], untrue: [] }
  const draw = drawOf(seed)
  let known = drawKnown(draw)
  const judgeWrong = (said: string | null, kind: string): void => {
    if (said === null || run.wrong >= mutations) return
    run.wrong += 1
    run.byKind.set(kind, (run.byKind.get(kind) ?? 0) + 1)
    const checks = checksOf(run, said, known)
    if (checks.includes('unproved') && !checks.includes('proved')) run.caught += 1
    else run.missed.push(`${kind}: ${said} | ${checks.join(', ')}`)
  }
  for (let turn = 0; run.wrong < mutations; turn += 1) {
    if (turn % 20 === 0) known = drawKnown(draw)
    const right = renderings[turn % renderings.length]?.write(draw, known) ?? ''
    run.right += 1
    const checks = checksOf(run, right, known)
    if (checks.length > 0 && checks.every((check) => check === 'proved')) run.proved += 1
    else run.doubted.push(`${right} | ${checks.join(', ')}`)
    // Another fact in its place makes another sentence, which says just what that fact is.
    const swapped = right.replaceAll(/f\d+/gu, () => draw.pick(known.facts).id)
    if (swapped !== right) {
      run.swapped += 1
      checksOf(run, swapped, known)
    }
    for (const kind of draw.shuffle(mutationKinds).slice(0, 3)) judgeWrong(mutated(draw, right, kind, known), kind)
    for (const kind of draw.shuffle(wordKinds).slice(0, 3)) judgeWrong(reworded(draw, right, kind, draw.pick(known.facts).id), kind)
  }
  return run
}

// The checks of a text that are not plain; what Fillbook writes for the proved ones must be so.
const checksOf = (run: GroundingRun, said: string, known: Drawn): readonly string[] => {
  // A split word comes in two parts.
  const raw = answerOf(said).replaceAll('\\u0000', '"},{"text":"')
  const written = narrativeWords(known, reportWords(t, format, known.names), t)
  const segments: readonly Segment[] = groundNarrative(raw, known).passages.flatMap((passage) => passage.segments)
  return segments.flatMap((segment) => {
    if (!('check' in segment) || segment.check === 'plain') return []
    if ('says' in segment && segment.check === 'proved') {
      const text = written.reference(segment.says)?.map((piece) => piece.text).join('') ?? ''
      if (!isSo(text, segment.says, known)) run.untrue.push(`${JSON.stringify(segment.says)}: ${text}`)
    }
    return [segment.check]
  })
}
