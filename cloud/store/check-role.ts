import type { Log } from '#shared/base/log.ts'
import { StartFault } from '../start-problem.ts'
import type { Database } from './database.ts'

/** Throws a `StartFault` in production, and warns in development, where the service's role in PostgreSQL sees the rows of every user whatever the policies say. */
export const checkRole = async (database: Database, mode: 'production' | 'development', log: Log): Promise<void> => {
  const [role] = await database.scripts(({ rows }) => rows<{ free: boolean }>('SELECT rolsuper OR rolbypassrls AS free FROM pg_roles WHERE rolname = current_user'))
  if (role?.free === false) return
  if (mode === 'development') return log.warn({}, 'the role in DATABASE_URL passes row-level security by; production refuses it')
  throw new StartFault({
    name: 'DATABASE_URL',
    wanted: 'of a role that row-level security holds, so neither a superuser nor one with BYPASSRLS',
    remedy: 'Make a plain role, give it the database (CREATE ROLE fillbook LOGIN PASSWORD …; ALTER DATABASE … OWNER TO fillbook; and its tables, REASSIGN OWNED), and name it here.',
  })
}
