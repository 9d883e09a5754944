/** Whether the program is packed with the feed at `address`: without one it asks nobody for newer versions. Throws where anybody on the way could answer in its place. */
export const carriesFeed = (address: string | undefined): boolean => {
  if (!address) return false
  if (URL.parse(address)?.protocol !== 'https:') throw new Error('FILLBOOK_UPDATES_URL must be an https:// address: what it gives installs itself')
  return true
}

// The packer fetches what is not on this computer; that there is no way to it is no fault that a stack explains.
const ofTheNetwork = new Set(['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENETUNREACH', 'EHOSTUNREACH'])

/** What is said where packing failed because something could not be fetched; null where it failed by itself. */
export const unreachable = (error: unknown): string | null => {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown }
  return typeof code === 'string' && ofTheNetwork.has(code) ? `Nothing was packed: ${String(message)}. Electron's runtime is fetched from GitHub, or from where ELECTRON_MIRROR says; once fetched it is kept.` : null
}
