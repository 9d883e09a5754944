import { pipeline } from 'node:stream/promises'
import type { Express, RequestHandler } from 'express'
import { journalFilePath, largestJournalFile, type journalFileRoutes } from '#shared/api/journal-file.ts'
import { err, ok } from '#shared/base/result.ts'
import type { JournalFiles } from './service.ts'
import type { Browser, Caller } from '../http/caller.ts'
import { callerOf, type Admission, type Handlers } from '../http/mount.ts'
import { sendProblem } from '../http/problem.ts'
import { ignoreReceiverDisconnect, isLargerThan, sentFile, uploadHandler } from '../http/sent-file.ts'

/** Handlers for an uploaded journal file. */
export const journalFileHandlers = (files: JournalFiles): Handlers<typeof journalFileRoutes, Browser, Caller> => ({
  importJournal: ({ caller, body }) => files.importFile(caller.id, body.id),
  dropJournalFile: async ({ caller, body }) => {
    await files.drop(caller.id, body.id)
    return ok({ success: true })
  },
})

/** Streams the signed-in user's journal as one file, and receives one, outside the JSON contract. */
export const mountJournalFile = (app: Express, files: JournalFiles, admission: Admission<Browser, Caller>): void => {
  const give: RequestHandler = async (request, response) => {
    const caller = await callerOf(admission, request, response)
    if (!caller.ok) return sendProblem(response, caller.error)
    const { name, bytes } = await files.write(caller.value.userId)
    response.attachment(name).type('application/octet-stream')
    await pipeline(bytes, response).catch(ignoreReceiverDisconnect)
  }
  const take = uploadHandler(admission, (userId, request) => {
    if (isLargerThan(largestJournalFile, request)) return Promise.resolve(err({ code: 'journal-file-too-large' }))
    return files.receive(userId, sentFile(request))
  })
  app.get(journalFilePath, give)
  app.post(journalFilePath, take)
}
