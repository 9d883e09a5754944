import type { Log } from '#shared/base/log.ts'
import type { Database, DatabasePlace } from './database.ts'
import { openServer } from './server.ts'

/** Opens the database; a server is only spoken to with the first call. */
export const openDatabase = async (place: DatabasePlace, log: Log): Promise<Database> => {
  if (place.kind === 'server') return openServer(place, log)
  // It is a whole PostgreSQL: with a server of one's own it is not loaded.
  const { openEmbedded } = await import('./embedded.ts')
  return openEmbedded(place.folder)
}
