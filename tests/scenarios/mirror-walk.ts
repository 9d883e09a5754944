import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startCloud, type RunningCloud } from '../helpers/cloud.ts'
import type { JournalRows } from '../helpers/journal-rows.ts'
import { openLine } from '../helpers/line.ts'
import { startPostgres, queryRows } from '../helpers/postgres.ts'
import { openPostgresLine } from '../helpers/postgres-line.ts'
import { programFile } from '../helpers/program.ts'
import { sharedRowsIn } from '../helpers/shared-rows.ts'
import { writeJournal } from './mirror-journal.ts'
import { strikesCloud, type MirrorOrder, type Moment } from './mirror-order.ts'

const child = programFile('tests/scenarios/mirror-child.ts')
// How many changes a journal went through depends on who was killed when.
const numbersSql = 'SELECT count(*) = count(DISTINCT seq) AS given_once, max(seq) = (SELECT head FROM journals WHERE user_id = $1) AS up_to_head FROM records WHERE user_id = $1'
const pushPath = '/api/mirror/push'
const pagePath = '/api/mirror/changes'

/** Which process is killed, and when: at the n-th passing of a moment, or so many milliseconds after the start of the desktop's process or the last kill of the cloud, random for each start. */
export type MirrorKill = { readonly at: Moment; readonly passing: number } | { readonly who: 'desktop' | 'cloud'; readonly drawMs: () => number }

/** Whether it is the cloud that a kill strikes. */
export const isOfCloud = (kill: MirrorKill): boolean => ('who' in kill ? kill.who === 'cloud' : strikesCloud(kill.at))

/** The computer that has the journal, or the one that is to get it. Each profile has the name of its computer. */
export type Computer = 'first' | 'second'

/** What a start came to: `ended` where the process came to its end, at which journal and cloud are equal, and the kills that struck. */
export type Started = { readonly ended: boolean; readonly struck: readonly MirrorKill[] }

/** One user with two computers. */
export type MirrorWalk = {
  /** Starts the desktop's process and lets kills strike: one of the desktop at most, those of the cloud one after another. Throws where it failed. */
  readonly start: (computer: Computer, given?: { readonly kills?: readonly MirrorKill[]; readonly planted?: string }) => Promise<Started>
  /** The journal as it lies on the disk, with the names of its pictures' files. */
  readonly rows: (computer: Computer) => JournalRows
  /** What PostgreSQL holds of the user; the numbers of changes only as far as they must be right. */
  readonly inCloud: () => Promise<JournalRows>
}

/** A cloud on PostgreSQL, and processes of desktops that mirror to it; both sides can be killed. */
export type MirrorGround = {
  /** Starts over: the first computer has a journal unknown to the cloud. */
  readonly walk: () => Promise<MirrorWalk>
  readonly close: () => Promise<void>
}

/** Starts all of it; the first computer's journal has so many fills. */
export const openMirrorGround = async (fills: number): Promise<MirrorGround> => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-mirror-kill-'))
  const base = join(folder, 'base')
  await writeJournal(base, 'first', fills)
  const postgres = await startPostgres({ durable: true })
  const databaseUrl = await postgres.newDatabase()
  const line = await openPostgresLine(databaseUrl)
  let cloud: RunningCloud = await startCloud({ databaseUrl: line.url })
  const door = await openLine(cloud.url)
  /** Called at every moment that passes on the lines; returns whether a process was killed at it. */
  let pass: (moment: Moment) => boolean = () => false
  let walks = 0

  let reviving = Promise.resolve()
  const killCloud = (): void => {
    // One that is just coming back is killed when it is there.
    reviving = reviving.then(async () => {
      await cloud.kill()
      cloud = await startCloud({ databaseUrl: line.url })
      door.target = cloud.url
    })
  }
  line.decide = (moment) => (pass(moment) ? 'cut' : 'through')
  door.decide = ({ path }) => {
    if (path === pushPath) pass('push-sent')
    if (path === pagePath) pass('page-asked')
    return 'through'
  }

  /** Lets kills of one side strike one after another. */
  const arm = (kills: readonly MirrorKill[], strike: () => void): { readonly struck: MirrorKill[]; readonly pass: (moment: Moment) => boolean; readonly disarm: () => void } => {
    const struck: MirrorKill[] = []
    let [passed, timer] = [0, setTimeout(() => undefined)]
    const fall = (kill: MirrorKill): void => {
      struck.push(kill)
      passed = 0
      strike()
      wait()
    }
    const wait = (): void => {
      const next = kills[struck.length]
      if (next !== undefined && 'who' in next) timer = setTimeout(() => fall(next), next.drawMs())
    }
    wait()
    return {
      struck,
      pass: (moment) => {
        const next = kills[struck.length]
        if (next === undefined || 'who' in next || next.at !== moment) return false
        passed += 1
        if (passed < next.passing) return false
        fall(next)
        return true
      },
      disarm: () => clearTimeout(timer),
    }
  }

  const run = async (order: MirrorOrder, kills: readonly MirrorKill[]): Promise<Started> => {
    const [ofDesktop, more] = kills.filter((kill) => !isOfCloud(kill))
    if (more !== undefined) throw new Error('A process dies but once')
    const killAt = ofDesktop !== undefined && 'at' in ofDesktop ? { killAt: `${ofDesktop.at}:${String(ofDesktop.passing)}` } : {}
    const desktop = spawn(process.execPath, [child], { env: { ...process.env, MIRROR_ORDER: JSON.stringify({ ...order, ...killAt }) }, stdio: ['pipe', 'ignore', 'pipe'] })
    let output = ''
    desktop.stderr.setEncoding('utf8').on('data', (text: string) => (output += text))
    const atDesktop = arm(ofDesktop === undefined ? [] : [ofDesktop], () => desktop.kill('SIGKILL'))
    const atCloud = arm(kills.filter(isOfCloud), killCloud)
    pass = (moment) => [atDesktop.pass(moment), atCloud.pass(moment)].includes(true) && strikesCloud(moment)
    const [code, signal] = (await once(desktop, 'close')) as [number | null, NodeJS.Signals | null]
    pass = () => false
    atDesktop.disarm()
    atCloud.disarm()
    await reviving
    if (signal === 'SIGKILL' && ofDesktop !== undefined) return { ended: false, struck: [ofDesktop, ...atCloud.struck] }
    if (code !== 0) throw new Error(`The desktop failed:\n${output}\n${cloud.stderr()}`)
    return { ended: true, struck: atCloud.struck }
  }

  return {
    walk: async () => {
      walks += 1
      const own = join(folder, `walk-${String(walks)}`)
      const email = `walk-${String(walks)}@example.com`
      const { userId: user } = await cloud.tokenOf(email)
      cpSync(base, join(own, 'first'), { recursive: true })
      mkdirSync(join(own, 'second'))
      const pictureFiles = (computer: Computer): Record<string, unknown>[] => readdirSync(join(own, computer, 'pictures', computer)).sort().map((name) => ({ name }))
      return {
        start: (computer, { kills = [], planted } = {}) =>
          run({ folder: join(own, computer), userId: computer, email, cloudUrl: door.url, ...(planted === undefined ? {} : { planted }) }, kills),
        rows: (computer) => ({ ...sharedRowsIn(join(own, computer, 'journal.db')), files: pictureFiles(computer) }),
        inCloud: async () => ({
          records: await queryRows(databaseUrl, 'SELECT entity, id, content FROM records WHERE user_id = $1 ORDER BY entity, id', [user]),
          numbers: await queryRows(databaseUrl, numbersSql, [user]),
          pictures: await queryRows(databaseUrl, "SELECT name, type, encode(sha256(bytes), 'hex') AS content FROM pictures WHERE user_id = $1 ORDER BY name", [user]),
        }),
      }
    },
    close: async () => {
      await cloud.stop()
      await door.close()
      await line.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
