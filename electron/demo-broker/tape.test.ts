// @module-tag slow
import { describe, expect, it } from 'vitest'
import { chicagoTime, sessionAt, sessionOpen } from './calendar.ts'
import { frontMonth, productNamed } from './contracts.ts'
import { DEFAULT_SEED, seededWorld, tradePast } from './seeded-world.ts'
import { openTapes, sessionTape, type SessionTape } from './tape.ts'
import { growth } from '#tests/helpers/growth.ts'

const anchor = '2026-11-20'
const world = seededWorld(DEFAULT_SEED, anchor, true)
const now = world.walk.at(-1)?.at ?? 0
const tapesAt = (moment: number) => openTapes({ seed: DEFAULT_SEED, executions: world.executions, sessions: world.sessions, world, now: moment })
const tapes = tapesAt(now)
const everySession = tapes.contracts.flatMap(({ contract, sessions }) => sessions.map((session) => ({ contract, session })))

const bytes = ({ at, price, size }: SessionTape): string => [at, price, size].map((column) => Buffer.from(column.buffer, column.byteOffset, column.byteLength).toString('base64')).join()
const ofOne = (session: string, prints: number, product = 'MNQ'): SessionTape =>
  sessionTape({ seed: 1, contract: frontMonth(productNamed(product), session), session, mark: world.mark, pins: [], prints })

describe('the tape', () => {
  it('has every fill that counts at its moment and its price, of its quantity', () => {
    const counting = world.executions.filter(({ time, bustedAt }) => time <= now && bustedAt === null)
    const missing = [...Map.groupBy(counting, ({ contract, session }) => `${contract.name} ${session}`).values()].flatMap((fills) => {
      const [{ contract, session } = { contract: { name: '' }, session: '' }] = fills
      const { at, price, size } = tapes.printsOf(contract.name, session)
      return fills.filter(({ time, ticks, qty }) => {
        const first = at.indexOf(time * 1000)
        return first < 0 || !at.subarray(first, first + 20).some((moment, place) => moment === time * 1000 && price[first + place] === ticks && size[first + place] === qty)
      })
    })
    expect(missing).toEqual([])
    expect(world.executions.length).toBeGreaterThan(500)
  })

  it('leaves no doubt which print came before a fill: none is as near as its stamp of a millisecond', () => {
    const opening = chicagoTime(anchor, 8 * 60 + 30)
    const pins = Array.from({ length: 400 }, (_, place) => ({ time: opening + place * 5017, ticks: 27_120, qty: 1 }))
    const { at } = sessionTape({ seed: 1, contract: frontMonth(productNamed('ES'), anchor), session: anchor, mark: world.mark, pins, prints: 300_000 })
    const pinned = new Set(pins.map(({ time }) => time * 1000))
    const distance = (moment: number): number => Math.min(...[Math.floor, Math.ceil].map((round) => Math.abs(opening * 1000 + Math.max(0, Math.min(399, round((moment - opening * 1000) / 5_017_000))) * 5_017_000 - moment)))
    expect(at.filter((moment) => pinned.has(moment))).toHaveLength(400)
    expect(at.filter((moment) => !pinned.has(moment) && distance(moment) <= 1000)).toHaveLength(0)
  })

  it('has what the accounts see of an open position at each stop of the clock', () => {
    for (const { contract, session } of everySession.filter((each) => each.session === anchor)) {
      const { at, price } = tapes.printsOf(contract, session)
      expect(at.at(-1)).toBe(now * 1000)
      expect(price.at(-1)).toBe(world.mark(world.executions.find((fill) => fill.contract.name === contract)?.contract ?? frontMonth(productNamed('ES'), session), session, now))
    }
  })

  it('is never still for as long as prices that are missing, in a thin session either', () => {
    const longest = world.sessions.map((session) => {
      const { at } = ofOne(session, 3000)
      return at.reduce((most, moment, place) => Math.max(most, moment - (at[place - 1] ?? sessionOpen(session) * 1000)), 0)
    })
    expect(Math.max(...longest)).toBeLessThanOrEqual(300_000_000)
  })

  it('never falls in time, stays within its session, and near the market', { tags: 'long' }, () => {
    for (const { contract, session } of everySession) {
      const { at, price, size } = tapes.printsOf(contract, session)
      const product = world.executions.find((fill) => fill.contract.name === contract)?.contract.product
      const room = product === undefined ? 0 : (product.level * product.volatility * product.tickScale) / product.tickUnits
      let falls = 0
      let jumps = 0
      for (let place = 1; place < at.length; place += 1) {
        if ((at[place] ?? 0) < (at[place - 1] ?? 0)) falls += 1
        // A tenth of a day's move from one print to the next.
        if (Math.abs((price[place] ?? 0) - (price[place - 1] ?? 0)) > Math.max(8, room / 5)) jumps += 1
      }
      expect({ contract, session, falls, jumps, first: sessionAt((at[0] ?? 0) / 1000), last: sessionAt((at.at(-1) ?? 0) / 1000), small: size.filter((each) => each < 1).length }).toEqual({ contract, session, falls: 0, jumps: 0, first: session, last: session, small: 0 })
      expect((at.at(-1) ?? 0) / 1000).toBeLessThan(chicagoTime(session, 16 * 60))
      expect((at[0] ?? 0) / 1000).toBeGreaterThanOrEqual(sessionOpen(session))
    }
    expect(everySession.length).toBeGreaterThan(50)
  })

  it('is the same to the byte, alone or after others, and is cut at the clock', () => {
    const alone = tapesAt(now).printsOf('MNQZ6', '2026-11-18')
    expect(bytes(alone)).toBe(bytes(tapes.printsOf('MNQZ6', '2026-11-18')))
    const noon = chicagoTime('2026-11-18', 12 * 60)
    const cut = openTapes({ seed: DEFAULT_SEED, executions: world.executions, sessions: world.sessions, world: { ...world, walk: [] }, now: noon }).printsOf('MNQZ6', '2026-11-18')
    expect(cut.at.length).toBeGreaterThan(1000)
    expect(cut.at.at(-1)).toBeLessThanOrEqual(noon * 1000)
  })

  it('is busy after the opening and before the close, quiet in the night', () => {
    const { at } = ofOne('2026-11-18', 12_000)
    const between = (from: number, to: number): number => at.filter((moment) => moment >= chicagoTime('2026-11-18', from) * 1000 && moment < chicagoTime('2026-11-18', to) * 1000).length
    expect(at.length).toBeGreaterThan(10_000)
    expect(at.length).toBeLessThan(14_000)
    expect(between(8 * 60 + 30, 9 * 60 + 30)).toBeGreaterThan(2 * between(11 * 60, 12 * 60))
    expect(between(-4 * 60, -3 * 60)).toBeLessThan(120)
    const minutes = new Set([...at].map((moment) => Math.floor(moment / 60_000_000)))
    expect(minutes.size).toBeLessThan(1350)
  })

  it.each(['2026-03-09', '2026-11-02'])('opens at 17:00 in Chicago after a change of clocks, %s', (session) => {
    const { at } = ofOne(session, 100_000)
    expect(Math.floor((at[0] ?? 0) / 60_000_000)).toBe(sessionOpen(session) / 60_000)
    expect((at.at(-1) ?? 0) / 1000).toBeGreaterThan(chicagoTime(session, 15 * 60 + 58))
  })

  it('has a million prints in time that grows no faster than their number', { tags: 'long' }, () => {
    expect(ofOne('2026-11-18', 1_000_000).at.length).toBeGreaterThan(900_000)
    // Eight times the prints; with their square it would be sixty-four.
    expect(growth(() => ofOne('2026-11-19', 125_000), () => ofOne('2026-11-20', 1_000_000))).toBeLessThan(24)
  })

  it('has the fills of the half year before, too', { tags: 'long' }, async () => {
    const past = await tradePast({ seed: DEFAULT_SEED, dollarsOnly: true, before: world.sessions[0] ?? '' })
    const before = openTapes({ seed: DEFAULT_SEED, executions: [...past.executions, ...world.executions], sessions: [...past.sessions, ...world.sessions], world, now })
    const fill = past.executions.find(({ bustedAt }) => bustedAt === null)
    if (fill === undefined) throw new Error('No fill')
    const { at, price } = before.printsOf(fill.contract.name, fill.session)
    expect(price[at.indexOf(fill.time * 1000)]).toBe(fill.ticks)
  })
})
