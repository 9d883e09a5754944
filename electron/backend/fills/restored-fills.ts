import { and, eq, lte, max, sql } from 'drizzle-orm'
import { perConnection, type Reader, type Writer } from '../db/database.ts'
import { mirrors, outbox } from '../db/schema/mirror.ts'

/** Keeps everything in the outbox even if the cloud no longer has it: it was just restored. */
export const keepRestoredInOutbox = ({ orm }: Writer, userId: string): void => {
  const restoredTo = orm.select({ seq: max(outbox.seq) }).from(outbox).where(eq(outbox.userId, userId)).get()?.seq ?? null
  orm.update(mirrors).set({ restoredTo }).where(eq(mirrors.userId, userId)).run()
}

const selectRestored = perConnection(({ orm }: Reader) =>
  orm
    .select({ seq: outbox.seq })
    .from(outbox)
    .innerJoin(mirrors, eq(mirrors.userId, outbox.userId))
    .where(and(eq(outbox.userId, sql.placeholder('userId')), eq(outbox.entity, 'fill'), eq(outbox.entityId, sql.placeholder('name')), lte(outbox.seq, mirrors.restoredTo)))
    .prepare(),
)

/** Whether a restore brought a fill back, by its name in the outbox, and it was neither sent nor changed since. */
export const isRestored = (reader: Reader, userId: string, name: string): boolean => selectRestored(reader).get({ userId, name }) !== undefined
