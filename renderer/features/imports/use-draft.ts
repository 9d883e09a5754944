import { ApiFailure, callApi, failureOf } from '#renderer/lib/api.ts'
import { fetchAdmitted } from '#renderer/lib/browser-key.ts'
import { importRoutes, largestUpload, mostUploads, uploadAnswer, uploadPath, type SentUpload, type SettledCounts } from '#shared/api/imports.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import type { DateOrder } from '#shared/imports/export-kind.ts'
import { useState } from 'react'
import { create } from 'zustand'

/** A file on its way into an import: sent once `upload` is there, or not sent for a reason. */
export type DraftFile = { readonly key: string; readonly file: File; readonly upload: SentUpload | null; readonly failure: unknown }

/** The choices before an import. A `zone` of null is the profile's. By upload: the account of rows that name none, and the order of dates. */
export type DraftChoices = { readonly zone: string | null; readonly accounts: ReadonlyMap<string, string>; readonly dates: ReadonlyMap<string, DateOrder> }

/** What was imported. */
export type Imported = AnswerOf<typeof importRoutes.addImport>

type Draft = DraftChoices & {
  readonly user: string | null
  readonly files: readonly DraftFile[]
  /** The number of files of one choice that were too many. */
  readonly surplus: number
  /** The id of the import that is under way. */
  readonly work: string | null
  readonly done: Imported | null
  /** What left the journal with the import that was undone last. */
  readonly undone: SettledCounts | null
  readonly failure: ApiFailure | null
}

const noDraft: Draft = { user: null, files: [], surplus: 0, zone: null, accounts: new Map(), dates: new Map(), work: null, done: null, undone: null, failure: null }

/** The next import of this user and the result of the last one. It outlives the screen, so that Back finds it as it was. */
const store = create<Draft>(() => noDraft)

type Sending = {
  readonly key: string
  readonly file: File
  readonly ending: AbortController
  /** The id of its upload before, if it is sent again. */
  readonly formerId: string | null
}

let lastKey = 0
let queue: readonly Sending[] = []
let isSending = false

/** A file that the browser cannot read, such as a dropped folder. */
export class UnreadableFile extends Error {
  override readonly name = 'UnreadableFile'
}

/** Uploads a file; throws `ApiFailure`, or `UnreadableFile`. One that is too large is not sent at all. */
const sendFile = async (file: File, signal: AbortSignal): Promise<SentUpload> => {
  if (file.size > largestUpload) throw new ApiFailure(413, { success: false, code: 'upload-too-large', error: 'upload-too-large' })
  await file.slice(0, 1).arrayBuffer().catch(() => {
    throw new UnreadableFile()
  })
  const address = `${uploadPath}?${new URLSearchParams({ name: file.name }).toString()}`
  const answer = await fetchAdmitted(address, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: file, signal }).catch((cause: unknown) => {
    if (signal.aborted) throw cause
    throw new ApiFailure(0, null)
  })
  if (!answer.ok) throw await failureOf(answer)
  return uploadAnswer.parse(await answer.json()).upload
}

/** Deletes uploads; if that fails, the backend deletes them an hour later. */
const dropUploads = (ids: readonly string[]): void => {
  if (ids.length > 0) callApi(importRoutes.dropUploads, { body: { uploads: [...ids] } }).catch(() => undefined)
}

const updateFile = (key: string, more: Partial<DraftFile>): void => {
  store.setState(({ files }) => ({ files: files.map((file) => (file.key === key ? { ...file, ...more } : file)) }))
}

const renamed = <T>(byId: ReadonlyMap<string, T>, from: string, to: string): ReadonlyMap<string, T> => new Map([...byId].map(([id, value]) => [id === from ? to : id, value]))

/** Sends files one after another. */
const sendNext = async (): Promise<void> => {
  if (isSending) return
  isSending = true
  for (let next = queue[0]; next !== undefined; next = queue[0]) {
    const { key, file, ending, formerId } = next
    try {
      const upload = await sendFile(file, ending.signal)
      if (ending.signal.aborted) dropUploads([upload.id])
      else {
        if (formerId !== null) store.setState(({ accounts, dates }) => ({ accounts: renamed(accounts, formerId, upload.id), dates: renamed(dates, formerId, upload.id) }))
        updateFile(key, { upload })
      }
    } catch (failure) {
      updateFile(key, { failure })
    }
    queue = queue.filter((one) => one !== next)
  }
  isSending = false
}

const send = (files: readonly DraftFile[]): void => {
  queue = [...queue, ...files.map(({ key, file, upload }) => ({ key, file, ending: new AbortController(), formerId: upload?.id ?? null }))]
  void sendNext()
}

const stopSending = (isRemoved: (key: string) => boolean): void => {
  for (const { key, ending } of queue) if (isRemoved(key)) ending.abort()
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

/** Removes these files, here and in the backend. */
export const removeFiles = (keys: readonly string[]): void => {
  stopSending((key) => keys.includes(key))
  dropUploads(store.getState().files.flatMap(({ key, upload }) => (keys.includes(key) && upload !== null ? [upload.id] : [])))
  store.setState(({ files }) => ({ files: files.filter(({ key }) => !keys.includes(key)), surplus: 0 }))
}

/** Sends all files again: the backend deletes them after an hour and at the end of a session. The choices for them stay. */
export const sendAgain = (): void => {
  const sent = store.getState().files.filter(({ upload }) => upload !== null)
  for (const { key } of sent) updateFile(key, { upload: null })
  send(sent)
}

/** Keeps the choices for the next import. */
export const setChoices = ({ zone, accounts, dates }: DraftChoices): void => store.setState({ zone, accounts, dates })

/** Notes that an import is under way. */
export const importBegins = (work: string): void => store.setState({ work, undone: null, failure: null })

/** Notes the result of an import, unless another user began it. Its files are then gone from the draft, unless an account is still to be named. */
export const importEnds = (work: string, done: Imported | null, failure: ApiFailure | null): void => {
  if (store.getState().work !== work) return
  // Files of prices are stored separately.
  const left = store.getState().files.filter(({ upload }) => upload?.prices)
  store.setState({ work: null, done, failure: failure?.code === 'import-cancelled' ? null : failure, ...(done?.imported ? { files: left, surplus: 0, accounts: new Map(), dates: new Map() } : {}) })
}

/** Notes what left the journal with an import that was undone. */
export const importUndone = (undone: SettledCounts): void => store.setState({ undone })

/** The draft of this user; that of another one is forgotten, as the backend did at the end of their session. */
export const useDraft = (user: string): Draft => {
  useState(() => {
    if (store.getState().user === user) return
    stopSending(() => true)
    store.setState({ ...noDraft, user })
  })
  return store()
}

window.addEventListener('pagehide', () => {
  const uploads = store.getState().files.flatMap(({ upload }) => upload?.id ?? [])
  // `callApi` does not outlive the page.
  if (uploads.length > 0) void fetchAdmitted(importRoutes.dropUploads.path, { method: 'POST', keepalive: true, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ uploads }) })
})
