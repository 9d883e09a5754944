import { fileURLToPath } from 'node:url'
import type { Log } from '#shared/base/log.ts'
import type { Role } from '#shared/plans/checks.ts'
import { createDevIssuer, type DevIssuer } from './dev-issuer.ts'
import { createApp } from './http/app.ts'
import { listen } from './http/listen.ts'
import { createBearer, ownKeys, publishedKeys } from './identity/bearer.ts'
import { openPaymentService } from './payments/service.ts'
import type { CloudSettings } from './settings.ts'
import { StartFault } from './start-problem.ts'
import { openDatabase } from './store/open-database.ts'
import type { Database } from './store/database.ts'
import { deletedListIn, noDeletedList } from './store/deleted-list.ts'
import { mayPass } from './store/fault.ts'
import { migrate } from './store/migrate.ts'
import { openStores } from './store/open-stores.ts'
import { storageRule } from './store/storage.ts'
import { openPayments } from './store/payments.ts'

/** The running service. */
export type Service = {
  readonly url: string
  /** Reports not ready from now on, lets running requests finish, then closes the database. */
  readonly stop: () => Promise<void>
}

const migrations = fileURLToPath(new URL('../migrations/postgres', import.meta.url))

/** Wires the service's parts and starts it. Throws a `StartFault` if something outside prevents the start. */
export const startService = async (settings: CloudSettings, log: Log): Promise<Service> => {
  // Before anything else: a second service on the same port must not even open the first one's embedded database.
  const server = await listen(settings.host, settings.port).catch((error: unknown) => {
    throw new StartFault({ name: `port ${String(settings.port)}`, wanted: 'free', remedy: 'Another program listens on it, or it is not allowed: choose another with --port.' }, { cause: error })
  })
  try {
    const database = await openMigrated(settings, log)
    const roleOf = (userId: string): Role => ({ admin: userId === settings.adminUserId, subscriber: userId === settings.subscriberUserId })
    const stores = openStores(database, storageRule(settings.storage, roleOf, Date.now), settings.deletedAccountsFile === null ? noDeletedList : deletedListIn(settings.deletedAccountsFile))
    const erased = await stores.accounts.eraseListed().catch((error: unknown) => {
      throw new StartFault({ name: 'FILLBOOK_CLOUD_DELETED_ACCOUNTS_FILE', wanted: 'a file that can be read', remedy: 'Fix its permissions, or name another file.' }, { cause: error })
    })
    if (erased > 0) log.warn({ accounts: erased }, 'accounts that the database had back were deleted again')
    let stopping = false
    const devIssuer = settings.identity.jwksUrl === null ? await createDevIssuer({ mode: settings.mode, ...settings.identity, secret: settings.developmentSecret, isDeleted: stores.accounts.isDeleted }) : null
    server.answer(
      createApp({
        bearer: createBearer({ ...settings.identity, keys: keysOf(settings, devIssuer) }),
        devIssuer,
        development: settings.mode === 'development',
        ...stores,
        trustedProxies: settings.trustedProxies,
        broker: settings.broker,
        payments: settings.payments === null ? null : openPaymentService({ settings: settings.payments, payments: openPayments(database), subscriptions: stores.subscriptions, now: Date.now, log }),
        roleOf,
        ready: () => database.ping().then(() => true, () => false),
        stopping: () => stopping,
        now: Date.now,
        log,
      }),
    )
    return {
      url: `http://${settings.host.includes(':') ? `[${settings.host}]` : settings.host}:${String(server.port)}`,
      stop: async () => {
        stopping = true
        await server.stop()
        await database.close()
      },
    }
  } catch (error) {
    await server.stop()
    throw error
  }
}

const keysOf = ({ identity, mode }: CloudSettings, devIssuer: DevIssuer | null): Parameters<typeof createBearer>[0]['keys'] => {
  if (devIssuer !== null) return ownKeys(devIssuer.jwks)
  if (identity.jwksUrl === null) throw new Error('No keys to believe')
  if (identity.unsigned && mode === 'production') throw new Error('Unsigned tokens are not believed in production')
  return publishedKeys(identity.jwksUrl)
}

const openMigrated = async ({ database: place, mode }: CloudSettings, log: Log): Promise<Database> => {
  const database = await openDatabase(place, log).catch((error: unknown) => {
    throw startFaultOf(place.kind, error)
  })
  try {
    const applied = await migrate(database, migrations)
    if (place.kind === 'server') await checkRole(database, mode, log)
    log.info({ database: place.kind, migrations: applied }, 'database is ready')
    return database
  } catch (error) {
    await database.close()
    throw startFaultOf(place.kind, error)
  }
}

const startFaultOf = (kind: 'server' | 'embedded', error: unknown): unknown => {
  if (error instanceof StartFault) return error
  if (kind === 'embedded') return new StartFault({ name: 'FILLBOOK_CLOUD_DATA_DIR', wanted: 'a folder that can be written to, with an undamaged database or none', remedy: 'Name another folder, or set DATABASE_URL.' }, { cause: error })
  const code = error instanceof Error && 'code' in error ? error.code : ''
  // 28: access denied; 3D: no such database; 42501: no permission to create tables.
  const notOpen = mayPass(error) || (typeof code === 'string' && (/^(28|3D)/.test(code) || code === '42501'))
  return notOpen ? new StartFault({ name: 'DATABASE_URL', wanted: 'a PostgreSQL database that answers and lets this service in', remedy: 'Start it, or correct address, user and password; the user must be allowed to create tables.' }, { cause: error }) : error
}

/** Throws a `StartFault` in production, and warns in development, if the service's role in PostgreSQL sees every user's rows despite the policies. */
const checkRole = async (database: Database, mode: 'production' | 'development', log: Log): Promise<void> => {
  const [role] = await database.scripts(({ rows }) => rows<{ free: boolean }>('SELECT rolsuper OR rolbypassrls AS free FROM pg_roles WHERE rolname = current_user'))
  if (role?.free === false) return
  if (mode === 'development') return log.warn({}, 'role in DATABASE_URL bypasses row-level security; production refuses it')
  throw new StartFault({
    name: 'DATABASE_URL',
    wanted: 'of a role that row-level security holds, so neither a superuser nor one with BYPASSRLS',
    remedy: 'Make a plain role, give it the database (CREATE ROLE fillbook LOGIN PASSWORD …; ALTER DATABASE … OWNER TO fillbook; and its tables, REASSIGN OWNED), and name it here.',
  })
}
