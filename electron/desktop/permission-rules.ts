/** Whether a page may have what it asks for: the app's own may write text to the clipboard, which copies a recovery code; all else is denied to everybody. */
export const mayHave = (permission: string, asking: string | undefined, origin: string): boolean => permission === 'clipboard-sanitized-write' && isOf(asking, origin)

/** Whether something that is fetched may be kept as a file: what the app gives itself, asked for by its own page. */
export const mayDownload = (chain: readonly string[], asking: string | undefined, origin: string): boolean => isOf(asking, origin) && chain.length > 0 && chain.every((address) => isOf(address, origin))

// A blob belongs to the page that made it.
const isOf = (address: string | undefined, origin: string): boolean => URL.parse(address ?? '')?.origin === origin
