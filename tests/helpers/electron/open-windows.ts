/** What ends with the app. */
type Closable = { readonly close: () => void; readonly destroy: () => void }

/** Every window that is open, for whoever ends them all. */
export const openWindows = new Set<Closable>()
