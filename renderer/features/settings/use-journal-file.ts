import { ApiFailure, callApi, failureOf, invalidateAll } from '#renderer/lib/api.ts'
import { fetchAdmitted } from '#renderer/lib/browser-key.ts'
import { usePushed } from '#renderer/lib/events.ts'
import { journalFilePath, journalFileRoutes, largestJournalFile, receivedJournal, type JournalFileProgress, type ReceivedJournal } from '#shared/api/journal-file.ts'
import type { ProblemCode } from '#shared/api/problems.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

const { bringJournal, dropJournalFile } = journalFileRoutes

/** Progress of importing a journal; `failure` is why it stopped. */
export type JournalFileStep =
  | { readonly step: 'choosing'; readonly failure: unknown }
  | { readonly step: 'sending' | 'bringing'; readonly progress: JournalFileProgress | null }
  | { readonly step: 'asking'; readonly file: ReceivedJournal }
  | { readonly step: 'done'; readonly brought: AnswerOf<typeof bringJournal> }

/** A journal file from its choice to the end of its import. */
export type JournalFileIntake = { readonly now: JournalFileStep; readonly choose: (file: File) => void; readonly bring: () => void; readonly giveUp: () => void }

const refused = (status: number, code: ProblemCode): ApiFailure => new ApiFailure(status, { success: false, code, error: code })

const send = async (file: File): Promise<ReceivedJournal> => {
  if (file.size > largestJournalFile) throw refused(413, 'journal-file-too-large')
  // A dropped folder looks like a file until it is read.
  await file.slice(0, 1).arrayBuffer().catch(() => { throw refused(400, 'journal-file-foreign') })
  const answer = await fetchAdmitted(journalFilePath, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: file }).catch(() => {
    throw new ApiFailure(0, null)
  })
  if (!answer.ok) throw await failureOf(answer)
  return receivedJournal.parse(await answer.json())
}

/** Uploads a file to be checked, and merges it into the journal after the user has seen what it would add. */
export const useJournalFile = (): JournalFileIntake => {
  const client = useQueryClient()
  const [progress, setProgress] = useState<JournalFileProgress | null>(null)
  usePushed('journal-file-progress', (pushed) => { setProgress(pushed.progress) })
  const receiving = useMutation({ mutationFn: send })
  const bringing = useMutation({
    mutationFn: (id: string) => callApi(bringJournal, { body: { id } }),
    // Everything loaded from the journal may have changed, even the time zone of its days.
    onSettled: () => invalidateAll(client),
  })
  const begin = (): void => {
    setProgress(null)
    bringing.reset()
  }
  const stepOf = (): JournalFileStep => {
    if (bringing.isPending) return { step: 'bringing', progress }
    if (bringing.data !== undefined) return { step: 'done', brought: bringing.data }
    if (receiving.isPending) return { step: 'sending', progress }
    if (receiving.data !== undefined && bringing.error === null) return { step: 'asking', file: receiving.data }
    return { step: 'choosing', failure: bringing.error ?? receiving.error }
  }
  return {
    now: stepOf(),
    choose: (file) => {
      begin()
      receiving.mutate(file)
    },
    bring: () => {
      begin()
      if (receiving.data !== undefined) bringing.mutate(receiving.data.id)
    },
    giveUp: () => {
      // If that fails, the next upload or the end of the program deletes the file.
      if (receiving.data !== undefined) callApi(dropJournalFile, { body: { id: receiving.data.id } }).catch(() => undefined)
      begin()
      receiving.reset()
    },
  }
}
