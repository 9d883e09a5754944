import { access, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '#shared/base/result.ts'
import { keepsSecrets, keychainSecrets, loadKeychain, type Keychain } from './keychain.ts'
import { secretFile } from './secret-file.ts'
import type { Secrets } from './secrets.ts'

/** The requested secret storage; `auto` uses the keychain if it works. */
export type SecretsMode = 'keychain' | 'file' | 'auto'

/** Options of opening. */
export type SecretsOptions = {
  readonly mode: SecretsMode
  /** Separates profiles in the user's one keychain. */
  readonly profile: string
  /** The folder of the encrypted file. */
  readonly folder: string
  /** Called with the new path of a damaged file. */
  readonly onDamaged: (keptAs: string) => void
  readonly load?: () => Promise<Keychain | null>
}

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  )

/** How long the test of the keychain may take, in milliseconds. */
const probeMs = 5_000

const tryKeychain = async ({ profile, load = loadKeychain }: SecretsOptions): Promise<Secrets | null> => {
  const keychain = await load()
  const service = `Fillbook ${profile}`
  return keychain !== null && (await keepsSecrets(keychain, service, probeMs)) ? keychainSecrets(keychain, service) : null
}

/** Opens the secret storage. Fails only if the keychain does not work although it is required, or already holds the secrets. */
export const openSecrets = async (options: SecretsOptions): Promise<Result<Secrets, 'no-keychain'>> => {
  const file = (): Secrets => secretFile(options.folder, options.onDamaged)
  const keychainMark = join(options.folder, 'secrets-in-keychain')
  if (options.mode === 'file') {
    await rm(keychainMark, { force: true })
    return ok(file())
  }
  // A keychain that is locked today still has the tokens.
  const inKeychain = await exists(keychainMark)
  // A journal that began with the file stays with it: otherwise its secrets would be out of reach.
  if (options.mode === 'auto' && !inKeychain && (await exists(join(options.folder, 'secrets.enc')))) return ok(file())
  const keychain = await tryKeychain(options)
  if (keychain !== null) {
    await writeFile(keychainMark, '')
    return ok(keychain)
  }
  return options.mode === 'auto' && !inKeychain ? ok(file()) : err('no-keychain')
}
