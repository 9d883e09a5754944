/** Whether a permission is granted: the app's own page may write to the clipboard, to copy a recovery code. Everything else is denied. */
export const isPermissionAllowed = (permission: string, asking: string | undefined, origin: string): boolean => permission === 'clipboard-sanitized-write' && isOf(asking, origin)

/** Whether a download is allowed: only from the app, requested by its own page, over all redirects. */
export const isDownloadAllowed = (chain: readonly string[], asking: string | undefined, origin: string): boolean => isOf(asking, origin) && chain.length > 0 && chain.every((address) => isOf(address, origin))

// A blob URL has the origin of the page that created it.
const isOf = (address: string | undefined, origin: string): boolean => URL.parse(address ?? '')?.origin === origin
