import type { Segment } from '#shared/api/reports.ts'
import { groundNarrative, type Known } from '#shared/reports/grounding.ts'
import { drawOf } from '#tests/helpers/exports/draw.ts'
import { drawKnown, isRight, writeSaid, type Said, type Stretch } from './grounding-cases.ts'
import { drawSaid, mutated, mutationKinds, renderingOf } from './grounding-mutations.ts'
import { reworded, wordKinds, type Reworded } from './grounding-words.ts'

/** What came of a run: how many right stretches there were and how many were proved, how many wrong ones, and the texts that were judged badly. */
export type GroundingRun = { right: number; proved: number; wrong: number; caught: number; readonly byRendering: Map<string, { right: number; proved: number; wrong: number; caught: number }>; readonly byWords: Map<string, number>; readonly missed: string[]; readonly doubted: string[] }

/** Draws so many mutations, of values, names and words, each of something right in a rendering of twenty, and judges right and wrong text by arithmetic of its own. */
export const runGrounding = (mutations: number, seed: number): GroundingRun => {
  const run: GroundingRun = { right: 0, proved: 0, wrong: 0, caught: 0, byRendering: new Map(), byWords: new Map(), missed: [], doubted: [] }
  const draw = drawOf(seed)
  let known = drawKnown(draw)
  for (let turn = 0; run.wrong < mutations; turn += 1) {
    if (turn % 20 === 0) known = drawKnown(draw)
    const said = drawSaid(draw, known, renderingOf(turn))
    if (said === null) continue
    judge(run, said, known)
    for (const kind of draw.shuffle(mutationKinds).slice(0, 3)) {
      const other = mutated(draw, said, kind, known)
      if (other !== null && run.wrong < mutations) judge(run, other, known, kind)
    }
    for (const kind of draw.shuffle(wordKinds).slice(0, 3)) {
      const other = reworded(draw, said, kind)
      if (other !== null && run.wrong < mutations) judgeWords(run, said, other, known, kind)
    }
  }
  return run
}

const judge = (run: GroundingRun, said: Said, known: Known, kind: string | null = null): void => {
  const { raw, stretches } = writeSaid(said)
  const { passages } = groundNarrative(raw, known)
  const segments = passages.flatMap((passage) => passage.segments)
  const counts = run.byRendering.get(said.rendering.name) ?? { right: 0, proved: 0, wrong: 0, caught: 0 }
  run.byRendering.set(said.rendering.name, counts)
  for (const stretch of stretches) {
    const check = segmentOf(segments, stretch)?.check
    // Of facts that are cited together each clause needs one.
    const cited = stretch.clauses.map(({ cites }) => cites)
    const isTrue = stretch.clauses.every((clause) => cited.some((cites) => isRight({ ...clause, cites }, known.facts)))
    if (isTrue && kind === null) {
      run.right += 1
      counts.right += 1
      if (check !== 'proved') run.doubted.push(raw)
      for (const sum of [run, counts]) sum.proved += check === 'proved' ? 1 : 0
    }
    if (!isTrue) {
      run.wrong += 1
      counts.wrong += 1
      for (const sum of [run, counts]) sum.caught += check === 'unproved' ? 1 : 0
      if (check !== 'unproved') run.missed.push(`${kind ?? 'none'}: ${raw} | ${check ?? 'no segment'} | ${JSON.stringify(stretch.clauses.map(({ cites }) => known.facts.find(({ id }) => id === cites)))}`)
    }
  }
}

const judgeWords = (run: GroundingRun, { rendering }: Said, { raw, stretch }: Reworded, known: Known, kind: string): void => {
  const check = segmentOf(groundNarrative(raw, known).passages.flatMap(({ segments }) => segments), { text: stretch, clauses: [] })?.check
  const counts = run.byRendering.get(rendering.name)
  for (const sum of [run, ...(counts === undefined ? [] : [counts])]) {
    sum.wrong += 1
    sum.caught += check === 'unproved' ? 1 : 0
  }
  run.byWords.set(kind, (run.byWords.get(kind) ?? 0) + 1)
  if (check !== 'unproved') run.missed.push(`${kind}: ${raw} | ${check ?? 'no segment'}`)
}

const segmentOf = (segments: readonly Segment[], stretch: Stretch): Segment | undefined => segments.find(({ text }) => text.trim() === stretch.text.trim())
