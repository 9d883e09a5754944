import type { Log } from '#shared/base/log.ts'
import type { Database, DatabasePlace } from './database.ts'
import { openServer } from './server.ts'

/** Opens the database; the first call connects to a server. */
export const openDatabase = async (place: DatabasePlace, log: Log): Promise<Database> => {
  if (place.kind === 'server') return openServer(place, log)
  // It is a whole PostgreSQL: do not load it if there is a server.
  const { openEmbedded } = await import('./embedded.ts')
  return openEmbedded(place.folder)
}
