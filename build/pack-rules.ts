/** Whether the program is packed with the update feed at `address`: without one it never checks for updates. Throws if the URL is not secure. */
export const carriesFeed = (address: string | undefined): boolean => {
  if (!address) return false
  if (URL.parse(address)?.protocol !== 'https:') throw new Error('FILLBOOK_UPDATES_URL must be an https:// address: what it gives installs itself')
  return true
}

// The packer downloads what is not on this computer; a missing network is no error that a stack explains.
const ofTheNetwork = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH'])

/** The message for packing that failed because a download failed; null for any other failure. */
export const unreachable = (error: unknown): string | null => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return typeof code === 'string' && ofTheNetwork.has(code) ? `Nothing was packed: ${String(message)}. Electron's runtime is fetched from GitHub, or from where ELECTRON_MIRROR says; once fetched it is kept.` : null
}
