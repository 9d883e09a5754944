import { eq } from 'drizzle-orm'
import { atomically, query, type Writer } from './database.ts'
import { emptyFreePages, markVacuumDue } from './free-pages.ts'
import type { OfUser } from './rows.ts'
import { profiles } from './schema/people.ts'

/** Deletes a user's rows; free pages of the file may still contain them. */
export const deleteUser = (writer: Writer, { userId }: OfUser): void => {
  const { database, orm } = writer
  // Rows reference each other across tables, so foreign keys are checked at commit and not at each delete.
  database.pragma('defer_foreign_keys = ON')
  // Raw SQL: SQLite knows which tables the file has, which may be a backup of any version.
  const tables = query<{ name: string }>(writer, "SELECT name FROM sqlite_schema AS one WHERE type = 'table' AND EXISTS (SELECT 1 FROM pragma_table_info(one.name) WHERE name = 'user_id')").all()
  for (const { name } of tables) database.prepare(`DELETE FROM "${name}" WHERE user_id = ?`).run(userId)
  orm.delete(profiles).where(eq(profiles.id, userId)).run()
}

/** Deletes a profile with all its rows and rewrites the file so that no free page contains them. Must not run inside a transaction. */
export const deleteUserAndVacuum = (writer: Writer, input: OfUser): void => {
  const { name: file } = writer.database
  markVacuumDue(file)
  atomically(writer, () => { deleteUser(writer, input) })
  emptyFreePages(file)
}
