import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startCloud, type RunningCloud } from '../helpers/cloud.ts'
import type { JournalRows } from '../helpers/journal-rows.ts'
import { startPostgres, queryRows } from '../helpers/postgres.ts'
import { openPostgresLine } from '../helpers/postgres-line.ts'
import { openSharedProxy } from '../helpers/proxy.ts'
import { sharedRowsIn } from '../helpers/shared-rows.ts'
import { writeJournal } from './mirror-journal.ts'
import { strikesCloud, type MirrorOrder, type Moment } from './mirror-order.ts'

const child = fileURLToPath(new URL('./mirror-child.ts', import.meta.url))
const pushPath = '/api/mirror/push'
const pagePath = '/api/mirror/changes'

/** Who is killed, and when: at the n-th passing of a moment, or so many milliseconds after the start of the desktop's process. */
export type MirrorKill = { readonly at: Moment; readonly passing: number } | { readonly who: 'desktop' | 'cloud'; readonly afterMs: number }

/** The computer that has the journal, or the one that is to get it. Each profile has the name of its computer. */
export type Computer = 'first' | 'second'

/** One user with two computers. */
export type MirrorWalk = {
  /** Starts the desktop's process; `ended` tells whether it came to its end, where journal and cloud are equal, and `struck` whether somebody was killed. Throws where it failed. */
  readonly start: (computer: Computer, given?: { readonly kill?: MirrorKill; readonly planted?: string }) => Promise<{ readonly ended: boolean; readonly struck: boolean }>
  /** The journal as it lies on the disk, with the names of its pictures' files. */
  readonly rows: (computer: Computer) => JournalRows
  /** What PostgreSQL holds of the user. */
  readonly inCloud: () => Promise<JournalRows>
}

/** A cloud on PostgreSQL, and processes of desktops that mirror to it; both sides can be killed. */
export type MirrorGround = {
  /** Begins anew: the first computer has a journal that the cloud never heard of. */
  readonly walk: () => Promise<MirrorWalk>
  readonly close: () => Promise<void>
}

/** Kills a process that is told of its moments by what passes on the lines; null outside of a start. */
type Striker = (moment: string) => 'desktop' | 'cloud' | null

/** Starts all of it; the first computer's journal has so many fills. */
export const openMirrorGround = async (fills: number): Promise<MirrorGround> => {
  const folder = mkdtempSync(join(tmpdir(), 'fillbook-mirror-kill-'))
  const base = join(folder, 'base')
  await writeJournal(base, 'first', fills)
  const postgres = await startPostgres({ durable: true })
  const databaseUrl = await postgres.newDatabase()
  const line = await openPostgresLine(databaseUrl)
  let cloud: RunningCloud = await startCloud({ databaseUrl: line.url })
  const door = await openSharedProxy(cloud.url)
  let strike: Striker = () => null
  let walks = 0

  let reviving = Promise.resolve()
  const killCloud = (): void => {
    const dying = cloud
    const killed = dying.kill()
    reviving = reviving.then(async () => {
      await killed
      cloud = await startCloud({ databaseUrl: line.url })
      door.target = cloud.url
    })
  }
  line.decide = (moment) => (strike(moment) === 'cloud' ? 'cut' : 'through')
  door.decide = ({ path }) => {
    if (path === pushPath) strike('push-sent')
    if (path === pagePath) strike('page-asked')
    return 'through'
  }

  /** Kills at most once; what it answers is who fell. */
  const arm = (desktop: ChildProcess, kill: MirrorKill): { readonly struck: () => boolean; readonly disarm: () => void } => {
    let struck = false
    const fell = (who: 'desktop' | 'cloud'): 'desktop' | 'cloud' => {
      struck = true
      if (who === 'cloud') killCloud()
      else desktop.kill('SIGKILL')
      return who
    }
    if ('who' in kill) {
      const timer = setTimeout(() => fell(kill.who), kill.afterMs)
      return { struck: () => struck, disarm: () => clearTimeout(timer) }
    }
    let left = kill.passing
    strike = (moment) => {
      if (moment !== kill.at) return null
      left -= 1
      return left === 0 ? fell(strikesCloud(moment) ? 'cloud' : 'desktop') : null
    }
    return { struck: () => struck, disarm: () => void (strike = () => null) }
  }

  const run = async (order: MirrorOrder, kill: MirrorKill | undefined): Promise<{ ended: boolean; struck: boolean }> => {
    const given: MirrorOrder = { ...order, ...(kill !== undefined && 'at' in kill ? { killAt: `${kill.at}:${String(kill.passing)}` } : {}) }
    const desktop = spawn(process.execPath, [child], { env: { ...process.env, MIRROR_ORDER: JSON.stringify(given) }, stdio: ['pipe', 'ignore', 'pipe'] })
    let said = ''
    desktop.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
    const armed = kill === undefined ? null : arm(desktop, kill)
    const [code, signal] = (await once(desktop, 'close')) as [number | null, NodeJS.Signals | null]
    armed?.disarm()
    await reviving
    if (signal === 'SIGKILL') return { ended: false, struck: true }
    if (code !== 0) throw new Error(`The desktop failed:\n${said}\n${cloud.said()}`)
    return { ended: true, struck: armed?.struck() ?? false }
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
        start: (computer, { kill, planted } = {}) =>
          run({ folder: join(own, computer), userId: computer, email, cloudUrl: door.url, ...(planted === undefined ? {} : { planted }) }, kill),
        rows: (computer) => ({ ...sharedRowsIn(join(own, computer, 'journal.db')), files: pictureFiles(computer) }),
        inCloud: async () => ({
          records: await queryRows(databaseUrl, 'SELECT entity, id, content FROM records WHERE user_id = $1 ORDER BY entity, id', [user]),
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
