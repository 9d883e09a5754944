import { change, query, type Reader, type Writer } from '../db/database.ts'

/** Lets all that waits to be told stand against what the cloud does not have any more: it was just restored. */
export const holdRestored = (writer: Writer, userId: string): void => {
  change(writer, 'UPDATE mirrors SET restored_to = (SELECT max(seq) FROM outbox WHERE user_id = @userId) WHERE user_id = @userId').run({ userId })
}

/** Whether a restore brought a fill back, by its name in the outbox, and neither was the cloud told of it since nor did it change. */
export const isRestored = (reader: Reader, userId: string, name: string): boolean =>
  query(reader, "SELECT 1 FROM outbox JOIN mirrors USING (user_id) WHERE user_id = ? AND entity = 'fill' AND entity_id = ? AND seq <= restored_to").get(userId, name) !== undefined
