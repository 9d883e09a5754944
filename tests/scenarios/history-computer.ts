import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { createPictures } from '#backend/pictures/pictures.ts'
import { createEvents, type Events } from '#backend/events.ts'
import type { BarrierName } from '#backend/db/barrier.ts'
import { importRoutes } from '#shared/api/imports.ts'
import { picturePath } from '#shared/api/pictures.ts'
import type { Passage } from '../helpers/line.ts'
import { user } from '../helpers/store.ts'
import { Refusal, serveHistory, type HistoryCall } from './history-api.ts'
import { openHistoryJournal } from './history-journal.ts'
import { holdMirror } from './history-mirror.ts'
import { joinHistoryServices } from './history-services.ts'

/** The fault of a computer during a sync: from the n-th call on, for so many calls, the line has this fault, or the computer is killed. `too-large` affects only pictures. */
export type Mishap = { readonly from: number; readonly for: number; readonly passage: Passage | 'killed' }

type Options = {
  readonly dataDir: string
  readonly email: string
  readonly cloudUrl: string
  /** What its clock says, UTC ms. */
  readonly now: () => number
}

/** The program of one computer on one thread, as the screens call it: its journal, its backups, its pictures and its mirror, which runs only when the test asks it to. */
export type HistoryComputer = {
  readonly dataDir: string
  readonly call: HistoryCall
  readonly importFile: (name: string, csv: string) => Promise<void>
  readonly addPicture: (content: Uint8Array) => Promise<string>
  readonly hasPicture: (name: string) => Promise<boolean>
  /** The journal file as the user exports it, without what only this computer has: its imports, and the source of their fills. */
  readonly exported: () => Promise<readonly string[]>
  /** Lets its mirror speak once, when it is pressed or when its time has come; false where it was killed meanwhile. */
  readonly speak: (given: { readonly pressed: boolean; readonly mishap?: Mishap | null }) => Promise<boolean>
  /** Copies its folder unchanged, as by hand. */
  readonly copy: (to: string) => void
  /** Kills it at the first such moment from now on, once. */
  readonly killAt: (moment: BarrierName) => void
  /** Ends it as SIGKILL does, if nothing killed it before: the folder that it leaves, and no other end. */
  readonly kill: (leave: string) => Promise<void>
}

const zone = 'America/New_York'

/** The program was killed in the midst of a call. */
export class Killed extends Error {}

/** Starts the program on a data folder, as after whatever ended it there. */
export const startHistoryComputer = async ({ dataDir, email, cloudUrl, now }: Options): Promise<HistoryComputer> => {
  let left: string | null = null
  let deadly: BarrierName | null = null
  /** What a kill leaves of it: its files as they are at this moment. */
  const copy = (to: string): void => cpSync(dataDir, to, { recursive: true, filter: (source) => !source.endsWith('-shm') })
  const leave = (): void => {
    left = `${dataDir}-left`
    copy(left)
  }
  const barrier = (name: BarrierName): void => {
    if (name !== deadly) return
    deadly = null
    leave()
    throw new Killed('Killed')
  }
  const journal = await openHistoryJournal(join(dataDir, 'journal.db'), barrier)
  const { userId } = user
  const pushing = createEvents()
  // The mirror needs no event about its own changes.
  const events: Events = {
    ...pushing,
    push: (whose, event) => {
      pushing.push(whose, event)
      if (event.type === 'journal-changed' || event.type === 'finances-changed' || event.type === 'rules-changed') mirror.poke()
    },
  }
  const pictures = createPictures(join(dataDir, 'pictures'))
  const mirror = await holdMirror({ journal, pictures, email, cloudUrl, now, changed: () => { pushing.push(userId, { type: 'journal-changed' }) } })

  const services = await joinHistoryServices({ journal, events, mirror, pictures, dataDir, now })
  const { desk, tradePictures, journalFiles } = services
  const call = serveHistory(services)

  return {
    dataDir,
    call,
    importFile: async (name, csv) => {
      const kept = await desk.saveUpload(userId, name, (async function* () { yield Promise.resolve(Buffer.from(csv)) })())
      if (!kept.ok) throw new Refusal(kept.error.code)
      const { imported, files } = await call(importRoutes.addImport, { body: { work: randomUUID(), uploads: [kept.value], zone, account: null } })
      if (imported === null) throw new Refusal(`The file was not imported: ${JSON.stringify(files)}`)
    },
    addPicture: async (content) => {
      const added = await tradePictures.add(userId, content)
      if (!added.ok) throw new Refusal(added.error.code)
      events.push(userId, { type: 'journal-changed' })
      return added.value.name
    },
    hasPicture: async (name) => (await tradePictures.read(userId, name)).ok,
    exported: async () => {
      const parts: Buffer[] = []
      for await (const part of (await journalFiles.write(userId)).bytes) parts.push(part as Buffer)
      return gunzipSync(Buffer.concat(parts)).toString().split('\n').slice(1, -2).filter((one) => !/^\{"(import|readings|importedSpecs)"|^\{"entity":"fill"/.test(one)).toSorted()
    },
    speak: async ({ pressed, mishap = null }) => {
      let calls = 0
      const death = Promise.withResolvers<boolean>()
      mirror.line.decide = ({ method, path }) => {
        calls += 1
        if (mishap === null || calls < mishap.from || calls >= mishap.from + mishap.for) return 'through'
        if (mishap.passage === 'too-large' && (method !== 'POST' || path !== picturePath)) return 'through'
        if (mishap.passage !== 'killed') return mishap.passage
        if (left === null) leave()
        death.resolve(false)
        return 'cut'
      }
      const woken = await Promise.race([mirror.wake(pressed).then(() => true), death.promise])
      mirror.line.decide = () => 'cut'
      return woken
    },
    copy,
    killAt: (moment) => { deadly = moment },
    kill: async (to) => {
      if (left === null) leave()
      await mirror.end()
      await mirror.line.close()
      journal.close()
      mkdirSync(to, { recursive: true })
      await rename(left ?? '', to)
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** An empty journal, for an unused computer. */
export const layJournal = (dataDir: string, journal: Uint8Array): void => {
  mkdirSync(dataDir, { recursive: true })
  writeFileSync(join(dataDir, 'journal.db'), journal)
}
