// @module-tag slow
import { expect, test } from 'vitest'
import { mostRecords } from '#shared/api/mirror.ts'
import { err, ok } from '#shared/base/result.ts'
import { everyTrade } from '#shared/stats/filter.ts'
import { sharedRows } from '#tests/helpers/listed-cloud.ts'
import { mirrorDevice, type MirrorDevice } from '#tests/helpers/mirror-device.ts'
import { away, scriptedCloud } from '#tests/helpers/scripted-cloud.ts'
import { fill, monday, openStore, take, user } from '#tests/helpers/store.ts'

const done = ok(null)
const png = Buffer.from('\x89PNG\r\n\x1a\npicture', 'latin1')

const noLabel = { balance: 0, platform: 'other', firm: null, date: '2026-01-05' } as const

/** A journal with two accounts, four fills, the two pairs that follow, and a finance of the user's. */
const traded = async () => {
  const store = openStore()
  await take(store, fill(1, 'buy', 1, 6700), fill(2, 'sell', 1, 6701), fill(3, 'buy', 2, 6700), fill(4, 'sell', 2, 6699))
  store.write.addFinance({ ...user, at: monday, finance: { ...noLabel, id: 'payout', type: 'earning', amount: 250, name: 'Payout' } })
  return store
}
const note = (device: MirrorDevice, notes: string, at: number): void => {
  const [pair] = device.store.read.pairPage({ ...user, filter: everyTrade, offset: 0, limit: 1, sort: 'exitTime', direction: 'asc' }).rows
  expect(device.store.write.updateTrade({ ...user, at, id: pair?.id ?? '', updates: { notes } }).ok).toBe(true)
}
const place = ({ store }: MirrorDevice) => store.read.mirror(user)
const rows = ({ store }: MirrorDevice) => sharedRows(store)

test('everything in the outbox is sent once, in order, and nothing is sent again', async () => {
  const cloud = scriptedCloud()
  const device = mirrorDevice(cloud.mirror, { store: await traded() })
  const { waiting } = place(device)
  expect(waiting).toBeGreaterThan(10)
  expect(await device.turn()).toEqual(done)
  expect(place(device)).toMatchObject({ waiting: 0, cursor: cloud.head(), lastSentAt: Date.UTC(2026, 0, 6) })
  expect(cloud.records().size).toBe(waiting)
  expect(cloud.calls.filter((call) => call.startsWith('push'))).toEqual([`push ${String(waiting)}`])
  cloud.calls.length = 0
  expect(await device.turn()).toEqual(done)
  expect(cloud.calls).toEqual(['journal'])
})

test('more than one batch goes in order, each record once, also what was changed meanwhile', async () => {
  const cloud = scriptedCloud()
  const store = openStore()
  await take(store, ...Array.from({ length: mostRecords + 200 }, (_, id) => fill(id + 1, id % 2 === 0 ? 'buy' : 'sell', 1, 6700)))
  const device = mirrorDevice(cloud.mirror, { store })
  const { waiting } = place(device)
  let changed = false
  cloud.beforePush = () => {
    if (!changed) note(device, 'written while it was under way', monday)
    changed = true
    return Promise.resolve()
  }
  expect(await device.turn()).toEqual(done)
  expect(cloud.calls.filter((call) => call.startsWith('push')).map((call) => Number(call.slice(5)))).toEqual([mostRecords, waiting - mostRecords, 1])
  expect(JSON.stringify([...cloud.records().values()].at(-1)?.content)).toContain('written while it was under way')
  expect(place(device).waiting).toBe(0)
})

test('a batch is sent before the answer to the previous one, and is accepted only if no other came in between', { tags: 'long' }, async () => {
  const cloud = scriptedCloud(mostRecords)
  const first = mirrorDevice(cloud.mirror, { store: await traded() })
  await first.turn()
  const second = mirrorDevice(cloud.mirror)
  await second.turn()
  await take(first.store, ...Array.from({ length: 2 * mostRecords }, (_, id) => fill(id + 10, id % 2 === 0 ? 'buy' : 'sell', 1, 6700)))
  second.store.write.addFinance({ ...user, at: monday, finance: { ...noLabel, id: 'fee', type: 'expense', amount: 10, name: 'Fee' } })
  const afters: unknown[] = []
  const pushes = mirrorDevice({ ...cloud.mirror, push: (push, signal) => (afters.push(push.after), cloud.mirror.push(push, signal)) }, { store: first.store })
  let incoming = false
  cloud.beforePush = async () => {
    if (afters.length < 3 || incoming) return
    incoming = true
    expect(await second.turn()).toEqual(done)
  }
  expect(await pushes.turn()).toEqual(done)
  expect(incoming).toBe(true)
  expect(afters.slice(0, 3)).toEqual([expect.any(Number), expect.any(Number), { push: expect.any(String) }])
  await second.turn()
  expect(rows(pushes)).toEqual(rows(second))
  expect(rows(second)['finances']?.map((row) => (row as { id: string }).id)).toContain('fee')
  expect(place(pushes)).toMatchObject({ waiting: 0, cursor: cloud.head() })
})

test('a record that the cloud refuses is set aside, sent again once it changes, and holds up nothing', async () => {
  const cloud = scriptedCloud()
  const device = mirrorDevice(cloud.mirror, { store: await traded() })
  const { database } = device.store.writer
  const rename = (name: string): void => {
    database.prepare("UPDATE finances SET name = ? WHERE id = 'payout'").run(name)
    database.prepare("INSERT OR REPLACE INTO outbox (user_id, entity, entity_id, noted_at) SELECT user_id, 'finance', id, 0 FROM finances WHERE id = 'payout'").run()
  }
  rename('x'.repeat(201))
  const { waiting } = place(device)
  expect(await device.turn()).toEqual(done)
  expect(place(device)).toMatchObject({ waiting: 0, waitingSince: null, setAside: 1 })
  expect([cloud.records().size, cloud.records().has('finance/payout')]).toEqual([waiting - 1, false])
  cloud.calls.length = 0
  expect(await device.turn()).toEqual(done)
  expect(cloud.calls).toEqual(['journal'])
  rename('Payout')
  expect(await device.turn()).toEqual(done)
  expect(place(device)).toMatchObject({ waiting: 0, setAside: 0 })
  expect(cloud.records().get('finance/payout')).toMatchObject({ content: { name: 'Payout' } })
})

test('a refusal that concerns no record sets none aside', async () => {
  const cloud = scriptedCloud()
  const device = mirrorDevice(cloud.mirror, { store: await traded() })
  const { waiting } = place(device)
  const failure = { kind: 'refused', status: 400, code: 'invalid-request' } as const
  cloud.fault = (call) => (call === 'push' ? { when: 'before', failure } : null)
  expect(await device.turn()).toEqual({ ok: false, error: failure })
  expect(place(device)).toMatchObject({ waiting, setAside: 0 })
})

test('an answer that is lost after the cloud took the batch has no effect but a second look', async () => {
  const cloud = scriptedCloud()
  const device = mirrorDevice(cloud.mirror, { store: await traded() })
  cloud.fault = (call, nth) => (call === 'push' && nth === 1 ? { when: 'after', failure: away } : null)
  expect(await device.turn()).toEqual({ ok: false, error: away })
  const sent = new Map(cloud.records())
  expect(sent.size).toBeGreaterThan(10)
  expect(place(device)).toMatchObject({ cursor: 0, journal: null })
  const before = rows(device)
  expect(await device.turn()).toEqual(done)
  expect(new Map(cloud.records())).toEqual(sent)
  expect(rows(device)).toEqual(before)
  expect(place(device)).toMatchObject({ waiting: 0, cursor: cloud.head() })
})

test('a second computer gets the journal back with its progress, and sends nothing of it again', async () => {
  const cloud = scriptedCloud()
  const first = mirrorDevice(cloud.mirror, { store: await traded() })
  await first.turn()
  cloud.calls.length = 0
  const second = mirrorDevice(cloud.mirror)
  expect(await second.turn()).toEqual(done)
  expect(rows(second)).toEqual(rows(first))
  expect(cloud.calls.filter((call) => call.startsWith('push'))).toEqual([])
  expect(cloud.calls.findIndex((call) => call.startsWith('changes rest'))).toBeGreaterThan(cloud.calls.findLastIndex((call) => call.startsWith('changes ground')))
  const total = cloud.records().size
  const progress = second.published.restoring
  expect([progress[0], progress.at(-2), progress.at(-1)]).toEqual([{ done: 0, total }, { done: total, total }, null])
  const steps = progress.flatMap((one) => one?.done ?? [])
  expect(steps).toEqual(steps.toSorted((one, other) => one - other))
  expect(steps.length).toBeGreaterThan(3)
  expect(place(second)).toMatchObject({ waiting: 0, cursor: cloud.head() })
})

test('a restore interrupted at any call resumes there and gives the same result', async () => {
  const cloud = scriptedCloud()
  const first = mirrorDevice(cloud.mirror, { store: await traded() })
  await first.turn()
  const probe = mirrorDevice(cloud.mirror)
  cloud.calls.length = 0
  await probe.turn()
  const calls = cloud.calls.length
  const cursors: number[] = []
  for (let breakAt = 1; breakAt <= calls; breakAt += 1) {
    const device = mirrorDevice(cloud.mirror)
    let nth = 0
    cloud.fault = () => ((nth += 1) === breakAt ? { when: 'before', failure: away } : null)
    expect(await device.turn()).toEqual({ ok: false, error: away })
    const { cursor, lastSentAt } = place(device)
    cursors.push(cursor)
    // Until it goes on, the page shows its last progress.
    expect([breakAt, device.published.restoring.at(-1) === null]).toEqual([breakAt, lastSentAt !== null])
    cloud.calls.length = 0
    expect(await device.turn()).toEqual(done)
    expect(cloud.calls.filter((call) => call.startsWith('changes rest')).map((call) => call.split(/[ -]/)[2])[0] ?? String(cursor)).toBe(String(cursor))
    expect([breakAt, rows(device), device.published.restoring.at(-1)]).toEqual([breakAt, rows(first), null])
    expect([breakAt, cloud.calls.filter((call) => call.startsWith('push'))]).toEqual([breakAt, []])
    expect(place(device)).toMatchObject({ waiting: 0, cursor: cloud.head() })
  }
  // What was taken before is not asked for again.
  expect(cursors.filter((cursor) => cursor > 0 && cursor < cloud.head()).length).toBeGreaterThan(1)
})

test('the computer that is behind pulls first; the later edit wins on both', async () => {
  const cloud = scriptedCloud()
  const first = mirrorDevice(cloud.mirror, { store: await traded() })
  await first.turn()
  const second = mirrorDevice(cloud.mirror)
  await second.turn()
  note(first, 'from the first', monday + 1_000)
  note(second, 'from the second, later', monday + 2_000)
  // The second comes in between: after the first has looked, before it has sent.
  let incoming = false
  cloud.beforePush = async () => {
    if (incoming) return
    incoming = true
    expect(await second.turn()).toEqual(done)
  }
  expect(await first.turn()).toEqual(done)
  expect(await second.turn()).toEqual(done)
  expect(rows(first)).toEqual(rows(second))
  expect(JSON.stringify(rows(first)['edits'])).toContain('from the second, later')
  expect(first.published.changed).toBeGreaterThan(0)
})

test('another journal in the cloud gets every record again', async () => {
  const cloud = scriptedCloud()
  const device = mirrorDevice(cloud.mirror, { store: await traded() })
  await device.turn()
  const size = cloud.records().size
  cloud.forget()
  expect(await device.turn()).toEqual(done)
  expect(cloud.records().size).toBe(size)
  expect(place(device)).toMatchObject({ waiting: 0, cursor: cloud.head() })
})

test('another journal with records is merged, not replaced', async () => {
  const cloud = scriptedCloud()
  const device = mirrorDevice(cloud.mirror, { store: await traded() })
  await device.turn()
  cloud.forget()
  const other = mirrorDevice(cloud.mirror)
  other.store.write.addFinance({ ...user, at: monday, finance: { ...noLabel, id: 'fee', type: 'expense', amount: 10, name: 'Fee' } })
  await other.turn()
  expect(await device.turn()).toEqual(done)
  expect(await other.turn()).toEqual(done)
  expect(rows(device)).toEqual(rows(other))
  expect(rows(device)['finances']?.map((row) => (row as { id: string }).id)).toEqual(expect.arrayContaining(['fee', 'payout']))
})

test('a cloud that was restored from a backup gets again what it lost', async () => {
  const cloud = scriptedCloud()
  const device = mirrorDevice(cloud.mirror, { store: await traded() })
  await device.turn()
  const sent = [...cloud.records().keys()].toSorted()
  cloud.goBackTo(4)
  expect(await device.turn()).toEqual(done)
  expect([...cloud.records().keys()].toSorted()).toEqual(sent)
})

test('a cloud that always finds the device behind is a failure, not a storm', async () => {
  const cloud = scriptedCloud()
  const device = mirrorDevice({ ...cloud.mirror, push: (push, signal) => cloud.mirror.push({ ...push, after: cloud.head() + 1 }, signal) }, { store: await traded() })
  expect(await device.turn()).toMatchObject({ ok: false, error: { kind: 'unreachable' } })
  expect(cloud.calls.length).toBeLessThan(20)
})

test('a picture is uploaded before the record that names it, and reaches the other computer', async () => {
  const cloud = scriptedCloud()
  const first = mirrorDevice(cloud.mirror, { store: await traded() })
  const kept = await first.pictures.keep(user.userId, png)
  if (!kept.ok) throw new Error(kept.error)
  const { name } = kept.value
  first.store.write.addPicture({ ...user, at: monday, ...kept.value })
  expect(await first.turn()).toEqual(done)
  expect(cloud.calls.filter((call) => /^(upload|push)/.test(call))).toEqual([`upload ${name.slice(0, 4)}`, expect.stringMatching(/^push/)])
  const second = mirrorDevice(cloud.mirror)
  expect(await second.turn()).toEqual(done)
  expect((await second.pictures.read(user.userId, name))?.content).toEqual(png)
  cloud.calls.length = 0
  await second.turn()
  expect(cloud.calls).toEqual(['journal'])
})

test('a picture for which the cloud has no room holds up the record that names it', async () => {
  const cloud = scriptedCloud()
  const full = err({ kind: 'refused', status: 413, code: 'storage-full' } as const)
  const device = mirrorDevice({ ...cloud.mirror, upload: () => Promise.resolve(full) }, { store: await traded() })
  const kept = await device.pictures.keep(user.userId, png)
  if (!kept.ok) throw new Error(kept.error)
  device.store.write.addPicture({ ...user, at: monday, ...kept.value })
  expect(await device.turn()).toEqual(full)
  expect([...cloud.records().keys()].filter((key) => key.includes('picture'))).toEqual([])
})

test('a picture that a proxy refuses holds up nothing, waits with its reason, and is tried again with growing pauses until it is there', async () => {
  const cloud = scriptedCloud()
  const tooLarge = err({ kind: 'refused', status: 413, code: null } as const)
  let isSmall = true
  const uploads: string[] = []
  const mirror = { ...cloud.mirror, upload: (...given: Parameters<typeof cloud.mirror.upload>) => (uploads.push(given[0].name), isSmall ? Promise.resolve(tooLarge) : cloud.mirror.upload(...given)) }
  const [first, second] = [mirrorDevice(mirror, { store: await traded() }), mirrorDevice(mirror)]
  const kept = await first.pictures.keep(user.userId, png)
  if (!kept.ok) throw new Error(kept.error)
  const { name } = kept.value
  first.store.write.addPicture({ ...user, at: monday, ...kept.value })
  expect(await first.turn()).toEqual(done)
  expect(place(first).waiting).toBe(0)
  expect(first.refused.get(name)).toMatchObject({ bytes: png.length, status: 413, failures: 1 })
  expect([await second.turn(), await second.pictures.list(user.userId)]).toEqual([done, []])
  // In its pause it is not tried.
  await first.turn()
  expect(uploads).toHaveLength(1)
  first.pass(60_000)
  await first.turn()
  first.pass(60_000)
  await first.turn()
  expect([uploads.length, first.refused.get(name)?.failures]).toEqual([2, 2])
  isSmall = false
  first.pass(60_000)
  await first.turn()
  expect([uploads.length, first.refused.size]).toEqual([3, 0])
  await second.turn()
  expect(await second.pictures.list(user.userId)).toEqual([name])
})

test('a picture is sent by a computer that has its file, also where another computer sent its record to an emptied cloud first', async () => {
  const cloud = scriptedCloud()
  const [holder, other] = [mirrorDevice(cloud.mirror, { store: await traded() }), mirrorDevice({ ...cloud.mirror, download: () => Promise.resolve(err({ kind: 'refused', status: 404, code: 'not-found' } as const)) })]
  const kept = await holder.pictures.keep(user.userId, png)
  if (!kept.ok) throw new Error(kept.error)
  holder.store.write.addPicture({ ...user, at: monday, ...kept.value })
  await holder.turn()
  await other.turn()
  cloud.forget()
  cloud.pictures.clear()
  for (const device of [other, holder, other, holder]) expect(await device.turn()).toEqual(done)
  expect([...cloud.pictures.keys()]).toEqual([kept.value.name])
})

test('a picture damaged in transit is not stored, and is requested again', async () => {
  const cloud = scriptedCloud()
  const first = mirrorDevice(cloud.mirror, { store: await traded() })
  const kept = await first.pictures.keep(user.userId, png)
  if (!kept.ok) throw new Error(kept.error)
  const { name } = kept.value
  first.store.write.addPicture({ ...user, at: monday, ...kept.value })
  await first.turn()
  const whole = cloud.pictures.get(name) ?? Buffer.alloc(0)
  cloud.pictures.set(name, Buffer.concat([whole, Buffer.from('!')]))
  const second = mirrorDevice(cloud.mirror)
  expect(await second.turn()).toEqual(done)
  expect(await second.pictures.list(user.userId)).toEqual([])
  cloud.pictures.set(name, whole)
  await second.turn()
  expect(await second.pictures.list(user.userId)).toEqual([name])
})

test('a stop between two batches leaves the rest waiting', async () => {
  const cloud = scriptedCloud()
  const store = openStore()
  await take(store, ...Array.from({ length: mostRecords + 200 }, (_, id) => fill(id + 1, id % 2 === 0 ? 'buy' : 'sell', 1, 6700)))
  const device = mirrorDevice(cloud.mirror, { store })
  const { waiting } = place(device)
  const stop = new AbortController()
  cloud.beforePush = () => Promise.resolve(stop.abort())
  expect(await device.turn(stop.signal)).toEqual({ ok: false, error: { kind: 'aborted' } })
  expect(place(device)).toMatchObject({ waiting: waiting - mostRecords, cursor: cloud.head() })
  expect(await device.turn()).toEqual(done)
  expect(cloud.records().size).toBe(waiting)
})
