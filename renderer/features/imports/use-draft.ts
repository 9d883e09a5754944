import type { ApiFailure } from '#renderer/lib/api.ts'
import { mostUploads, type importRoutes, type SentUpload, type SettledCounts } from '#shared/api/imports.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import type { DateOrder } from '#shared/imports/export-kind.ts'
import { useState } from 'react'
import { create } from 'zustand'
import { dropSent, dropSentAtLast, sendFile } from './upload-calls.ts'

/** A file on its way into an import: sent once `upload` is there, or not sent for a reason. */
export type DraftFile = { readonly key: string; readonly file: File; readonly upload: SentUpload | null; readonly failure: unknown }

/** What is chosen before an import, by upload: `accounts` holds whose the rows are that name none, `dates` how dates begin. A `zone` of null is the profile's. */
export type DraftChoices = { readonly zone: string | null; readonly accounts: Readonly<Record<string, string>>; readonly dates: ReadonlyMap<string, DateOrder> }

/** What was imported. */
export type Imported = AnswerOf<typeof importRoutes.addImport>

type Draft = DraftChoices & {
  readonly user: string | null
  readonly files: readonly DraftFile[]
  /** The number of files of one choice that were too many. */
  readonly surplus: number
  /** The import that is under way. */
  readonly work: string | null
  readonly done: Imported | null
  /** What left the journal with the import that was undone last. */
  readonly undone: { readonly id: string; readonly settled: SettledCounts } | null
  readonly failure: ApiFailure | null
}

const noDraft: Draft = { user: null, files: [], surplus: 0, zone: null, accounts: {}, dates: new Map(), work: null, done: null, undone: null, failure: null }

/** The next import of this user and what came of the last one. It outlives the screen, so that going Back finds it as it was. */
const store = create<Draft>(() => noDraft)

type Sending = { readonly key: string; readonly file: File; readonly ending: AbortController; /** Its former id, if it is sent again. */ readonly was: string | null }

let lastKey = 0
let queue: readonly Sending[] = []
let busy = false

const sentIds = (): string[] => store.getState().files.flatMap(({ upload }) => (upload === null ? [] : [upload.id]))

const change = (key: string, more: Partial<DraftFile>): void => {
  store.setState(({ files }) => ({ files: files.map((file) => (file.key === key ? { ...file, ...more } : file)) }))
}

const renamed = <T>(all: ReadonlyMap<string, T>, was: string, id: string): ReadonlyMap<string, T> => new Map([...all].map(([key, value]) => [key === was ? id : key, value]))

/** Sends files one after another. */
const sendNext = async (): Promise<void> => {
  if (busy) return
  busy = true
  for (let next = queue[0]; next !== undefined; next = queue[0]) {
    const { key, file, ending, was } = next
    try {
      const upload = await sendFile(file, ending.signal)
      if (ending.signal.aborted) dropSent([upload.id])
      else {
        if (was !== null) store.setState(({ accounts, dates }) => ({ accounts: Object.fromEntries(renamed(new Map(Object.entries(accounts)), was, upload.id)), dates: renamed(dates, was, upload.id) }))
        change(key, { upload })
      }
    } catch (failure) {
      change(key, { failure })
    }
    queue = queue.filter((one) => one !== next)
  }
  busy = false
}

const send = (files: readonly DraftFile[]): void => {
  queue = [...queue, ...files.map(({ key, file, upload }) => ({ key, file, ending: new AbortController(), was: upload?.id ?? null }))]
  void sendNext()
}

const stopSending = (left: (key: string) => boolean): void => {
  for (const { key, ending } of queue) if (left(key)) ending.abort()
}

/** Adds files and sends them. */
export const addFiles = (chosen: readonly File[]): void => {
  const room = Math.max(0, mostUploads - store.getState().files.length)
  const added = chosen.slice(0, room).map((file): DraftFile => {
    lastKey += 1
    return { key: String(lastKey), file, upload: null, failure: null }
  })
  store.setState(({ files }) => ({ files: [...files, ...added], surplus: Math.max(0, chosen.length - room), done: null, undone: null, failure: null }))
  send(added)
}

/** Forgets these files. */
export const removeFiles = (keys: readonly string[]): void => {
  stopSending((one) => keys.includes(one))
  dropSent(store.getState().files.flatMap(({ key, upload }) => (keys.includes(key) && upload !== null ? [upload.id] : [])))
  store.setState(({ files }) => ({ files: files.filter(({ key }) => !keys.includes(key)), surplus: 0 }))
}

/** Sends files again that the backend deleted, as it does after an hour and at the end of a session; the choices for a file stay. */
export const sendAgain = (): void => {
  const sent = store.getState().files.filter(({ upload }) => upload !== null)
  for (const { key } of sent) change(key, { upload: null })
  send(sent)
}

/** Keeps what is chosen for the next import. */
export const setChoices = ({ zone, accounts, dates }: DraftChoices): void => store.setState({ zone, accounts, dates })

/** Notes that an import is under way. */
export const importBegins = (work: string): void => store.setState({ work, undone: null, failure: null })

/** Notes what came of an import. Its files are of the journal now, unless an account is still to be named; of an import that another user began nothing is kept. */
export const importEnds = (work: string, done: Imported | null, failure: ApiFailure | null): void => {
  if (store.getState().work !== work) return
  // Files of prices are stored by themselves.
  const left = store.getState().files.filter(({ upload }) => upload?.prices)
  store.setState({ work: null, done, failure: failure?.code === 'import-cancelled' ? null : failure, ...(done?.imported ? { files: left, surplus: 0, accounts: {}, dates: new Map() } : {}) })
}

/** Notes what left the journal with an import that was undone. */
export const importUndone = (id: string, settled: SettledCounts): void => store.setState({ undone: { id, settled } })

/** The draft of this user. What another user left is forgotten; the program did so at the end of their session. */
export const useDraft = (user: string): Draft => {
  useState(() => {
    if (store.getState().user === user) return
    stopSending(() => true)
    store.setState({ ...noDraft, user })
  })
  return store()
}

window.addEventListener('pagehide', () => {
  dropSentAtLast(sentIds())
})
