import { mostUploads, type Upload } from '#shared/api/imports.ts'
import { useEffect, useRef, useState } from 'react'
import { dropSent, dropSentAtLast, sendFile } from './upload-calls.ts'

/** A file on its way into an import: sent once `upload` is there, or not sent for a reason. */
export type DraftFile = { readonly key: string; readonly name: string; readonly bytes: number; readonly upload: Upload | null; readonly failure: unknown }

/** The files that are to be imported next. */
export type Draft = {
  readonly files: readonly DraftFile[]
  /** The number of files of one choice that were too many. */
  readonly surplus: number
  readonly add: (files: readonly File[]) => void
  readonly remove: (key: string) => void
  /** Forgets all files; with `imported` the program has done so already. */
  readonly clear: (imported?: boolean) => void
}

type Sending = { readonly key: string; readonly file: File; readonly ending: AbortController }

let lastKey = 0

/** Sends files one after another as they are added; those that were not imported are forgotten when the page is left. */
export const useDraft = (): Draft => {
  const [files, setFiles] = useState<readonly DraftFile[]>([])
  const [surplus, setSurplus] = useState(0)
  // The truth between two renderings.
  const sent = useRef(new Map<string, string>())
  const queue = useRef<Sending[]>([])
  const busy = useRef(false)

  const change = (key: string, more: Partial<DraftFile>): void => {
    setFiles((known) => known.map((file) => (file.key === key ? { ...file, ...more } : file)))
  }
  const sendNext = async (): Promise<void> => {
    if (busy.current) return
    busy.current = true
    for (let next = queue.current[0]; next !== undefined; next = queue.current[0]) {
      const { key, file, ending } = next
      try {
        const upload = await sendFile(file, ending.signal)
        if (ending.signal.aborted) dropSent([upload.id])
        else {
          sent.current.set(key, upload.id)
          change(key, { upload })
        }
      } catch (failure) {
        change(key, { failure })
      }
      queue.current = queue.current.filter((one) => one !== next)
    }
    busy.current = false
  }
  const forget = (keys: readonly string[]): void => {
    for (const { key, ending } of queue.current) if (keys.includes(key)) ending.abort()
    dropSent(keys.flatMap((key) => sent.current.get(key) ?? []))
    for (const key of keys) sent.current.delete(key)
  }

  useEffect(() => {
    const [kept, waiting] = [sent.current, queue]
    const leave = (): void => {
      dropSentAtLast([...kept.values()])
    }
    window.addEventListener('pagehide', leave)
    return () => {
      window.removeEventListener('pagehide', leave)
      for (const { ending } of waiting.current) ending.abort()
      dropSent([...kept.values()])
    }
  }, [])

  return {
    files,
    surplus,
    add: (chosen) => {
      const room = Math.max(0, mostUploads - files.length)
      setSurplus(Math.max(0, chosen.length - room))
      const sending = chosen.slice(0, room).map((file): Sending => {
        lastKey += 1
        return { key: String(lastKey), file, ending: new AbortController() }
      })
      setFiles((known) => [...known, ...sending.map(({ key, file }): DraftFile => ({ key, name: file.name, bytes: file.size, upload: null, failure: null }))])
      queue.current.push(...sending)
      void sendNext()
    },
    remove: (key) => {
      forget([key])
      setSurplus(0)
      setFiles((known) => known.filter((file) => file.key !== key))
    },
    clear: (imported = false) => {
      if (imported) sent.current.clear()
      forget(files.map(({ key }) => key))
      setSurplus(0)
      setFiles([])
    },
  }
}
