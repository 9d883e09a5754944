import { startCloud, type RunningCloud } from './cloud.ts'
import { sharedPostgres } from './postgres.ts'

/** A cloud with its own database. */
export type OwnCloud = RunningCloud & { readonly databaseUrl: string }

/** Starts a cloud on a database of its own; to stop it ends both. */
export const startOwnCloud = async (options: Omit<Parameters<typeof startCloud>[0], 'databaseUrl' | 'dataDir'> = {}): Promise<OwnCloud> => {
  const server = await sharedPostgres()
  const databaseUrl = await server.newDatabase()
  const cloud = await startCloud({ databaseUrl, ...options })
  return {
    ...cloud,
    databaseUrl,
    stop: async () => {
      const code = await cloud.stop()
      await server.stop()
      return code
    },
  }
}
