import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { backupRoutes } from '#shared/api/backups.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { logbookRoutes, recordRoutes } from '#shared/api/journal.ts'
import { mirrorStateRoutes } from '#shared/api/mirror-state.ts'
import { ownDataRoutes } from '#shared/api/own-data.ts'
import { ruleRoutes } from '#shared/api/rules.ts'
import { noRules } from '#shared/rules/terms.ts'
import { dumpCloud, emptyDatabase, type CloudDump } from '../helpers/cloud-dump.ts'
import { account, minute, monday, user } from '../helpers/store.ts'
import { Refusal } from './history-api.ts'
import { Killed, layJournal, startHistoryComputer, type HistoryComputer, type Mishap } from './history-computer.ts'
import type { Ground } from './history-ground.ts'
import { createJudge, type Seen } from './history-judge.ts'
import { anchor, days, fileName, fileOf, type Step, type Walk } from './history-steps.ts'
import { claimsOf, seenOn, type Subjects } from './history-view.ts'

const hour = 3_600_000

type Place = { readonly name: string; computer: HistoryComputer; readonly clock: number; backups: Map<string, Backup>; /** The backup from before its first restore. */ firstKept: string | null; readonly pictures: Set<string> }
/** What a computer showed, and knew, when a backup was made of it. */
type Backup = { readonly seen: Seen; readonly known: ReadonlySet<number>; readonly file: string }

const take = <T>(items: readonly T[], index: number): T | undefined => items[index % Math.max(1, items.length)]

let walks = 0

/**
 * Two or three computers of one user and their cloud: their user writes, removes, imports, undoes, restores, copies folders and brings backups from
 * one to the other; their lines break, lie and refuse; programs are killed; the operator puts the cloud back and empties it. All is judged by what
 * was written and synced, which the steps know, and by what each computer's API shows.
 */
export const goWalk = async (ground: Ground, { computers, clocks, anchored, steps }: Walk, say: (line: string) => void): Promise<void> => {
  await ground.clear()
  const folder = mkdtempSync(join(ground.folder, 'walk-'))
  const email = `walk-${String((walks += 1))}-${String(process.pid)}@example.com`
  const judge = createJudge()
  const places: Place[] = []
  const dumps: { readonly dump: CloudDump; readonly known: ReadonlySet<number> }[] = []
  const subjects: Subjects = { entered: [], finances: [], pairs: new Map() }
  /** The computers that read a file, by its name. */
  const readBy = new Map<string, Set<string>>()
  const { entered, finances, pairs } = subjects
  let [time, made, folders] = [monday + 24 * hour, 0, 0]
  const newFolder = (): string => join(folder, String((folders += 1)))
  const value = (): number => (made += 1)

  const start = (dataDir: string, clock: number): Promise<HistoryComputer> => startHistoryComputer({ dataDir, email, cloudUrl: ground.cloudUrl, now: () => time + clock })
  const join_ = async (name: string, clock: number, journal: Uint8Array): Promise<Place> => {
    const dataDir = newFolder()
    layJournal(dataDir, journal)
    return { name, clock, computer: await start(dataDir, clock), backups: new Map(), firstKept: null, pictures: new Set() }
  }

  const claims = ({ computer }: Place): Promise<Set<string>> => claimsOf(computer)
  const see = ({ computer }: Place): Promise<Map<string, string | undefined>> => seenOn(computer, subjects)
  /** What a computer shows, held against what it may show. */
  const look = async (place: Place): Promise<Map<string, string | undefined>> => {
    const seen = await see(place)
    if (pairs.size === 0) return judge.look(place.name, seen), seen
    const own = await claims(place)
    const everybodys = new Set((await Promise.all([...places, place].map(claims))).flatMap((names) => [...names]))
    // An import in effect on any computer brings its rows again, whoever undid another of the same file.
    judge.look(place.name, new Map([...seen].filter(([field]) => !everybodys.has(field))))
    for (const file of pairs.keys()) {
      const stands = seen.get(fileName(file)) === 'stands'
      const inView = judge.allowed(`pair-${String(file)} in view`, judge.knows(place.name))
      if (stands) continue
      // Where it is out of view, either its file does not stand, or its user removed it.
      const mayBeUndone = !own.has(fileName(file)) && (judge.allowed(fileName(file), judge.knows(place.name)).has('') || everybodys.has(fileName(file)))
      if (!inView.has('') && !mayBeUndone) throw new Error(`${place.name} does not show the trade of ${fileName(file)}, which stands`)
    }
    return seen
  }
  /** Which backups a computer still has; the one from before its first restore stays as long as others do. */
  const lookForBackups = async (place: Place): Promise<void> => {
    const { backups } = await place.computer.call(backupRoutes.backups)
    // Also where the program was killed in its first restore.
    place.firstKept ??= backups.findLast(({ kind }) => kind === 'before-restore')?.name ?? null
    if (place.firstKept !== null && !backups.some(({ name }) => name === place.firstKept)) throw new Error(`${place.name} lost the copy of before its first restore, ${place.firstKept}`)
    for (const name of place.backups.keys()) if (!backups.some((one) => one.name === name)) place.backups.delete(name)
  }
  const revive = async (place: Place): Promise<void> => {
    const dataDir = newFolder()
    await place.computer.kill(dataDir)
    place.computer = await start(dataDir, place.clock)
  }

  const speak = async (place: Place, given: { readonly pressed: boolean; readonly mishap: Mishap | null }): Promise<string> => {
    time += given.pressed ? 10 : 2 * hour
    if (!(await place.computer.speak(given))) {
      await revive(place)
      return 'killed'
    }
    const { state } = await place.computer.call(mirrorStateRoutes.mirrorState)
    if (state === 'up-to-date' || state === 'pictures-waiting') judge.met(place.name, 'cloud')
    await look(place)
    return state
  }
  const freshOne = async (): Promise<Place> => join_(`fresh-${String(value())}`, 0, ground.journals.empty)
  const end = async (place: Place): Promise<void> => place.computer.kill(newFolder())

  const shown = (seen: Seen): { subject: string; id: string }[] => [
    ...entered.filter((id) => seen.get(`${id} is there`) === 'yes').map((id) => ({ subject: id, id })),
    ...[...pairs].filter(([file]) => seen.get(fileName(file)) === 'stands').map(([file, id]) => ({ subject: `pair-${String(file)}`, id })),
  ]
  const keepBackup = async (place: Place, name: string, seen: Seen): Promise<void> => {
    const own = await claims(place)
    // An import in the list is in effect, even if its trade is out of view.
    const written = new Map(seen)
    for (const file of pairs.keys()) if (written.get(fileName(file)) === undefined && own.has(fileName(file))) written.set(fileName(file), 'stands')
    place.backups.set(name, { seen: written, known: judge.knows(place.name), file: name })
  }

  /** What a restore says again, by what both showed. */
  const sayRestored = async (place: Place, { seen: then, known }: Backup, before: Seen, ownBefore: ReadonlySet<string>, whole: boolean): Promise<void> => {
    for (const field of new Set([...judge.fields(), ...then.keys()])) {
      const [was, is] = [then.has(field) ? then.get(field) : '', before.get(field)]
      const isFile = field.startsWith('file-')
      // Of a trade that it never had the backup says nothing.
      if (field.endsWith(' in view') && !then.has(field)) continue
      if (was === undefined) {
        for (const hidden of judge.allowed(field, known)) if (hidden !== '' || whole) judge.say(place.name, field, hidden, false)
      } else if (finances.includes(field) && was !== '') {
        const note = was.split(' ')[1] ?? ''
        judge.say(place.name, field, note !== '' || whole || is === undefined || is === '' ? was : `${was.split(' ')[0] ?? ''} ${is.split(' ')[1] ?? ''}`)
      } else if (was !== '') judge.say(place.name, field, was)
      else if (whole && is !== '') {
        // The fills that an import of this computer brought go; those of another computer stay.
        const sure = is !== undefined && !isFile
        if (!isFile || ownBefore.has(field)) judge.say(place.name, field, '', sure)
      }
    }
  }

  const act = async (one: Step): Promise<string> => {
    time += 10
    const place = 'who' in one ? (take(places, one.who) as Place) : (places[0] as Place)
    const { computer, name } = place
    switch (one.kind) {
      case 'enter': {
        const id = `trade-${String(value())}`
        entered.push(id)
        await computer.call(recordRoutes.addTrade, { body: { ...user, trade: { id, symbol: 'MESM6', qty: 1, entryPrice: 6700, exitPrice: 6701, entryTime: '2026-01-05T15:00:00Z', exitTime: '2026-01-05T15:05:00Z' } } })
        judge.say(name, `${id} is there`, 'yes')
        return id
      }
      case 'write': {
        const found = take(shown(await look(place)), one.pick)
        if (found === undefined) return `entered ${await act({ kind: 'enter', who: one.who })}`
        const number = value()
        let written = one.clear ? '' : one.part === 'stop' ? `${String(number)}.25` : `${one.part}-${String(number)}`
        if (one.part === 'picture' && !one.clear) {
          written = await computer.addPicture(Buffer.from(`\x89PNG\r\n\x1a\n${String(number)}`, 'latin1'))
          place.pictures.add(written)
        }
        const updates = { notes: { notes: written }, tags: { tags: one.clear ? [] : [written] }, stop: { stop: one.clear ? null : written }, headline: { screenshotHeadline: written }, picture: { screenshot: written } }[one.part]
        await computer.call(recordRoutes.updateTrade, { body: { ...user, id: found.id, updates } })
        judge.say(name, `${found.subject} ${one.part}`, written)
        return `${found.subject} ${one.part} ${written}`
      }
      case 'picture':
        return act({ kind: 'write', who: one.who, pick: one.pick, part: 'picture', clear: false })
      case 'remove': {
        const found = take(shown(await look(place)), one.pick)
        if (found === undefined) return 'nothing to remove'
        await computer.call(recordRoutes.removeTrade, { body: { ...user, id: found.id } })
        judge.say(name, found.subject === found.id ? `${found.id} is there` : `${found.subject} in view`, '')
        return found.subject
      }
      case 'put back': {
        const seen = await look(place)
        const gone = entered.filter((id) => seen.get(`${id} is there`) === '' && judge.allowed(`${id} is there`, judge.knows(name)).size === 1)
        const id = take(gone, one.pick)
        if (id === undefined) return 'nothing to put back'
        try {
          await computer.call(logbookRoutes.restorePair, { body: { id } })
        } catch (error) {
          // It never received the trade.
          if (error instanceof Refusal) return 'not known here'
          throw error
        }
        judge.say(name, `${id} is there`, 'yes')
        return id
      }
      case 'day': {
        await look(place)
        const tradingDay = days[one.pick] ?? days[0]
        const written = one.clear ? '' : `${one.part}-${String(value())}`
        await computer.call(ownDataRoutes.setDayNote, { body: { tradingDay, ...(one.part === 'notes' ? { notes: written } : { tags: one.clear ? [] : [written] }) } })
        judge.say(name, `${tradingDay} ${one.part}`, written)
        return `${tradingDay} ${one.part} ${written}`
      }
      case 'finance': {
        const seen = await look(place)
        const known = take(finances.filter((id) => seen.get(id) !== ''), one.pick)
        if (!one.isNew && known !== undefined && one.clear) {
          await computer.call(recordRoutes.removeFinance, { body: { ...user, id: known } })
          judge.say(name, known, '')
          return `${known} removed`
        }
        const id = one.isNew || known === undefined ? `finance-${String(value())}` : known
        if (!finances.includes(id)) finances.push(id)
        const [amount, note] = [value(), one.pick % 2 === 0 ? '' : `note-${String(value())}`]
        await computer.call(recordRoutes.addFinance, { body: { ...user, finance: { id, type: 'earning', amount, name: id, balance: 0, platform: 'other', firm: null, date: '2026-01-05', note } } })
        judge.say(name, id, `${String(amount)} ${note}`)
        return `${id} ${String(amount)} ${note}`
      }
      case 'setting': {
        await look(place)
        const number = value()
        const written = one.clear ? '' : one.of === 'rate' ? `0.${String(1_000 + number)}` : String(number)
        if (one.of === 'rate') await computer.call(ownDataRoutes.setCommission, { body: { of: { scope: 'firm', firm: 'Tradeify' }, product: 'MES', perSide: one.clear ? null : written } })
        else if (one.of === 'stop') await computer.call(ownDataRoutes.setDefaultStops, { body: { stops: [{ product: 'MES', distance: one.clear ? null : written, unit: 'ticks' }] } })
        else {
          try {
            await computer.call(ruleRoutes.saveRules, { body: { account, set: one.clear ? null : { ...noRules('USD'), startingBalance: '50000', profitTarget: written }, presetId: null, since: null } })
          } catch (error) {
            if (error instanceof Refusal) return 'no such account here'
            throw error
          }
        }
        judge.say(name, one.of, written)
        return `${one.of} ${written}`
      }
      case 'import': {
        await look(place)
        if ((await claims(place)).has(fileName(one.file))) return 'imported already'
        await computer.importFile(fileName(one.file), fileOf(one.file))
        const { trades } = await computer.call(recordRoutes.getTrades, { query: user })
        const pair = trades.find(({ entryTime, account: whose }) => whose === 'PA-7' && Date.parse(entryTime) === monday + 10 * one.file * minute)
        if (pair !== undefined) pairs.set(one.file, pair.id)
        judge.say(name, fileName(one.file), 'stands')
        readBy.set(fileName(one.file), (readBy.get(fileName(one.file)) ?? new Set()).add(name))
        return fileName(one.file)
      }
      case 'undo': {
        await look(place)
        const { imports } = await computer.call(importRoutes.imports)
        const found = take(imports.filter(({ undoneAt, files }) => undoneAt === null && files[0]?.name !== fileName(anchor)), one.pick)
        if (found === undefined) return `imported ${await act({ kind: 'import', who: one.who, file: one.pick % 3 })}`
        await computer.call(importRoutes.undoImport, { body: { id: found.id } })
        const file = found.files[0]?.name ?? ''
        // What another computer read of the same file stays until that computer takes it back, too.
        const stays = (readBy.get(file)?.size ?? 0) > 1 && (await see(place)).get(file) === 'stands'
        if (!stays) judge.say(name, file, '')
        return file
      }
      case 'back up': {
        const seen = await look(place)
        const { name: backup } = await computer.call(backupRoutes.makeBackup)
        await keepBackup(place, backup, seen)
        await lookForBackups(place)
        return backup
      }
      case 'restore': {
        const before = await look(place)
        const all = places.flatMap((of) => [...of.backups.values()].map((backup) => ({ of, backup })))
        const found = take(all, one.pick)
        if (found === undefined) return `backed up ${await act({ kind: 'back up', who: one.who })}`
        let file = found.backup.file
        if (found.of !== place) {
          // Its user brings the file from the other computer.
          file = `journal-2025-01-01T00-${String(Math.floor(value() / 60) % 60).padStart(2, '0')}-${String(made % 60).padStart(2, '0')}Z.db`
          cpSync(join(found.of.computer.dataDir, 'backups', found.backup.file), join(computer.dataDir, 'backups', file))
        }
        const own = await claims(place)
        const beforehand = { seen: new Map(before), known: judge.knows(name) }
        if (one.killed !== null) computer.killAt(one.killed)
        try {
          const restored = await computer.call(backupRoutes.restoreBackup, { body: { name: file, whole: one.whole } })
          const kept = restored.when === 'now' ? restored.kept : ''
          place.backups.set(kept, { ...beforehand, file: kept })
        } catch (error) {
          if (!(error instanceof Killed)) throw error
          await revive(place)
          await lookForBackups(place)
          if (one.killed === 'journal-restored') return `killed before ${file} was restored`
        }
        await sayRestored(place, found.backup, before, own, one.whole)
        await look(place)
        await lookForBackups(place)
        return `${file} of ${found.of.name}${one.whole ? ', whole' : ''}`
      }
      case 'copy by hand': {
        if (places.length > 3) return 'enough computers'
        const dataDir = newFolder()
        computer.copy(dataDir)
        const copied: Place = { name: `copy-${String(places.length + 1)}`, clock: (clocks[3] ?? 0) * hour + 4, computer: await start(dataDir, (clocks[3] ?? 0) * hour + 4), backups: new Map(place.backups), firstKept: place.firstKept, pictures: new Set() }
        judge.setBack(copied.name, judge.knows(name))
        places.push(copied)
        return copied.name
      }
      case 'kill':
        await revive(place)
        return name
      case 'speak':
        return `${name}: ${await speak(place, one)}`
      case 'all speak': {
        const states: string[] = []
        for (const each of places) states.push(await speak(each, { pressed: true, mishap: null }))
        return states.join()
      }
      case 'compare': {
        const state = await speak(place, { pressed: false, mishap: null })
        if (state !== 'up-to-date' && state !== 'pictures-waiting') return state
        const fresh = await freshOne()
        expect(await speak(fresh, { pressed: true, mishap: null })).toBe('up-to-date')
        // Who says that it is up to date holds what a new computer gets.
        expect(Object.fromEntries(await see(fresh))).toEqual(Object.fromEntries(await see(place)))
        for (const picture of state === 'up-to-date' ? place.pictures : []) if (!(await fresh.computer.hasPicture(picture))) throw new Error(`${name} says that it is up to date, and a new computer lacks ${picture}`)
        await end(fresh)
        return state
      }
      case 'dump':
        dumps.push({ dump: await dumpCloud(ground.databaseUrl), known: judge.knows('cloud') })
        return String(dumps.length)
      case 'go back': {
        const found = take(dumps, one.pick)
        if (found === undefined) return `dumped ${await act({ kind: 'dump' })}`
        await found.dump.putBack()
        judge.setBack('cloud', found.known)
        return String(dumps.indexOf(found) + 1)
      }
      case 'empty':
        await emptyDatabase(ground.databaseUrl)
        judge.setBack('cloud', new Set())
        return 'the cloud'
    }
  }

  try {
    for (let index = 0; index < computers; index += 1) places.push(await join_(`computer-${String(index + 1)}`, (clocks[index] ?? 0) * hour + index, index === 0 ? ground.journals.connected : ground.journals.empty))
    if (anchored) say(`0. import on computer-1\n   ${await act({ kind: 'import', who: 0, file: anchor })}`)
    for (const [index, one] of steps.entries()) {
      const at = `${String(index + 1)}. ${one.kind}${'who' in one ? ` on ${take(places, one.who)?.name ?? ''}` : ''}${'whole' in one && one.whole ? ', whole' : ''}${'killed' in one && one.killed !== null ? `, killed at ${one.killed}` : ''}${'mishap' in one && one.mishap !== null ? ` (${one.mishap.passage} from call ${String(one.mishap.from)} for ${String(one.mishap.for)})` : ''}`
      say(at)
      say(`   ${await act(one)}`)
    }
    say('rest')
    const fresh = await freshOne()
    places.push(fresh)
    await settle()
    const first = places[0] as Place
    const [all, file] = [Object.fromEntries(await see(first)), await first.computer.exported()]
    for (const place of places) {
      expect({ of: place.name, ...Object.fromEntries(await see(place)) }).toEqual({ of: place.name, ...all })
      expect({ of: place.name, file: await place.computer.exported() }).toEqual({ of: place.name, file })
      for (const of of places) for (const picture of of.pictures) if (!(await place.computer.hasPicture(picture))) throw new Error(`${place.name} lacks the picture ${picture} of ${of.name}`)
    }
    const standing = new Set((await Promise.all(places.map(claims))).flatMap((names) => [...names]))
    for (const field of judge.fields()) {
      const value = all[field]
      const may = field.startsWith('file-') && standing.has(field) ? new Set(['stands']) : judge.allowed(field)
      if (value === undefined && !field.startsWith('file-')) {
        // What was written on a trade that its import took along is left over.
        const [, number] = /^pair-(\d) (?!in view)/.exec(field) ?? []
        if (number !== undefined && !may.has('') && !judge.allowed(`pair-${number} in view`).has('')) throw new Error(`${field} is nowhere to be seen: ${[...may].join()}`)
        continue
      }
      if (value !== undefined && !may.has(value)) expect({ field, shows: value }).toEqual({ field, shows: [...may] })
      if (value === undefined && !may.has('') && !judge.allowed(`pair-${field.slice(5, 6)} in view`).has('')) throw new Error(`${field} stands, and its trade is not shown`)
    }
  } finally {
    for (const place of places) await end(place)
    rmSync(folder, { recursive: true, force: true })
  }

  /** Syncs all on working lines, until all are up to date and none received anything new. */
  async function settle(): Promise<void> {
    let before = ''
    for (let round = 0; round < 8; round += 1) {
      const states: string[] = []
      for (const place of places) states.push(await speak(place, { pressed: false, mishap: null }))
      const now = JSON.stringify(await Promise.all(places.map(async (place) => place.computer.exported())))
      if (states.every((state) => state === 'up-to-date') && now === before) return
      before = now
    }
    throw new Error('The computers never come to rest')
  }
}
