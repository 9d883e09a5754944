import { expect, test } from 'vitest'
import { refuse } from '../refused.ts'
import { createReports, type ReportsParts } from './service.ts'

const period = { kind: 'week', from: '2026-11-16', to: '2026-11-20' } as const

/** Reports over a journal that counts what is added to it; `preview` is how a narrative begins. */
const start = (preview: ReportsParts['narratives']['preview'], trades = 3) => {
  const added: string[] = []
  const errors: string[] = []
  const parts = {
    journal: {
      read: { report: ({ id }: { id: string }) => Promise.resolve({ id }), reportSettings: () => Promise.resolve({ schedule: { narrative: true } }) },
      write: { addReport: ({ by, period: of }: { by: string; period: typeof period }) => Promise.resolve(void added.push(`${by} ${of.to}`)) },
      computeReport: () => Promise.resolve({ trades }),
    },
    narratives: { preview }, models: {}, rights: {}, events: { push: () => undefined }, rescheduled: () => undefined, pdf: () => Promise.reject(new Error('Nobody asked')), now: () => 0,
    log: { error: (_: unknown, text: string) => errors.push(text) },
  } as unknown as ReportsParts
  return { added, errors, reports: createReports(parts) }
}
const stays = new AbortController().signal

test('a report that was made by itself stands, whatever goes wrong with its narrative', async () => {
  const { added, errors, reports } = start(() => Promise.reject(new Error('The keychain is locked')))
  await reports.makeScheduled('ann', period, stays)
  expect([added, errors]).toEqual([['schedule 2026-11-20'], ['A report was made by itself, and not told']])
})

test('without a model it stands alone, and where nothing was traded there is none', async () => {
  const { added, errors, reports } = start(() => Promise.resolve(refuse('no-model')))
  await reports.makeScheduled('ann', period, stays)
  expect([added.length, errors]).toEqual([1, []])
  const nothing = start(() => Promise.reject(new Error('Nobody asked')), 0)
  await nothing.reports.makeScheduled('ann', period, stays)
  expect([nothing.added, nothing.errors]).toEqual([[], []])
})
