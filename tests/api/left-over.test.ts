import { expect, test } from 'vitest'
import { importRoutes } from '#shared/api/imports.ts'
import { journalRoutes, recordRoutes } from '#shared/api/journal.ts'
import { leftOverRoutes } from '#shared/api/left-over.ts'
import { startApp } from '#tests/helpers/app.ts'
import { threeFiles } from '#tests/helpers/exports/three-files.ts'
import { uploadAll, importRequest } from '#tests/helpers/upload.ts'

const { leftOverNotes, moveLeftOver, discardLeftOver } = leftOverRoutes

test('notes on fill pairs that an undo removes remain on their days, return with the pairs, and can be moved or discarded', async () => {
  const { browser, newBrowser } = await startApp({ env: { FILLBOOK_DEMO: 'off' } })
  const { userId } = await browser.signUp()
  const { fills } = threeFiles()
  const bring = async (): Promise<string> => {
    const { imported } = await browser.call(importRoutes.addImport, { body: importRequest(await uploadAll(browser, { 'Fills.csv': fills })) })
    return imported?.id ?? ''
  }
  const first = await bring()
  const rows = async () => (await browser.call(journalRoutes.pairPage, { query: { sort: 'exitTime', direction: 'asc', limit: 500 } })).rows
  const [one, two, three] = await rows()
  if (one === undefined || two === undefined || three === undefined) throw new Error('No trades')
  const edits = { notes: 'mine', tags: ['calm'], stop: '1.25' }
  await browser.call(recordRoutes.updateTrade, { body: { userId, id: one.id, updates: edits } })
  await browser.call(recordRoutes.removeTrade, { body: { userId, id: two.id } })
  const events = await browser.events()

  await browser.call(importRoutes.undoImport, { body: { id: first } })
  const { notes } = await browser.call(leftOverNotes, { query: { from: one.tradingDay, to: one.tradingDay } })
  expect(notes).toEqual([expect.objectContaining({ id: one.id, tradingDay: one.tradingDay, symbol: one.symbol, side: one.side, qty: one.qty, exitTime: one.exitTime, ...edits, screenshot: '', removal: false, pairId: null })])
  expect((await browser.call(leftOverNotes, { query: { from: '2000-01-01', to: '2000-01-02' } })).notes).toEqual([])
  const stranger = await newBrowser()
  await stranger.signUp('stranger@example.com')
  expect((await stranger.call(leftOverNotes, { query: {} })).notes).toEqual([])
  expect(await stranger.fail(discardLeftOver, { body: { id: one.id } })).toMatchObject({ status: 404, code: 'not-found' })

  const second = await bring()
  expect((await browser.call(leftOverNotes, { query: {} })).notes).toEqual([])
  const again = await rows()
  expect(again.find(({ id }) => id === one.id)).toMatchObject(edits)
  // A removal needs no asking: the fill pair is as it was, out of every view.
  expect(again.some(({ id }) => id === two.id)).toBe(false)

  await browser.call(recordRoutes.addTrade, { body: { userId, trade: { id: 'by-hand', symbol: one.symbol, qty: 1, entryPrice: one.entryPrice, exitPrice: one.exitPrice, entryTime: one.entryTime, exitTime: one.exitTime, notes: 'its own' } } })
  await browser.call(importRoutes.undoImport, { body: { id: second } })
  expect(await browser.fail(moveLeftOver, { body: { id: one.id, pairId: 'nowhere' } })).toMatchObject({ status: 404, code: 'not-found' })
  expect(await browser.call(moveLeftOver, { body: { id: one.id, pairId: 'by-hand' } })).toEqual({ success: true, left: null })
  await events.next('journal-changed')
  expect(await rows()).toMatchObject([{ id: 'by-hand', notes: 'its own\n\nmine', tags: ['calm'], stop: '1.25' }])
  expect(await browser.fail(discardLeftOver, { body: { id: one.id } })).toMatchObject({ status: 404, code: 'not-found' })

  const last = await bring()
  await browser.call(recordRoutes.updateTrade, { body: { userId, id: three.id, updates: { notes: 'nothing worth' } } })
  await browser.call(importRoutes.undoImport, { body: { id: last } })
  expect(await browser.call(discardLeftOver, { body: { id: three.id } })).toEqual({ success: true })
  await bring()
  expect((await rows()).find(({ id }) => id === three.id)).toMatchObject({ notes: '' })
})
