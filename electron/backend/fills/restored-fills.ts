import { change, query, type Reader, type Writer } from '../db/database.ts'

/** Keeps everything in the outbox even if the cloud no longer has it: it was just restored. */
export const keepRestoredInOutbox = (writer: Writer, userId: string): void => {
  change(writer, 'UPDATE mirrors SET restored_to = (SELECT max(seq) FROM outbox WHERE user_id = @userId) WHERE user_id = @userId').run({ userId })
}

/** Whether a restore brought a fill back, by its name in the outbox, and it was neither sent nor changed since. */
export const isRestored = (reader: Reader, userId: string, name: string): boolean =>
  query(reader, "SELECT 1 FROM outbox JOIN mirrors USING (user_id) WHERE user_id = ? AND entity = 'fill' AND entity_id = ? AND seq <= restored_to").get(userId, name) !== undefined
