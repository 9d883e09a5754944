/** A firm on ProjectX: its name, and the URLs of its API and user hub, without a trailing slash. */
export type ProjectxFirm = { readonly name: string; readonly api: string; /** Null where only the API is known. */ readonly hub: string | null }

/** The firms that ProjectX serves, by the first part of their accounts' keys. */
export const projectxFirms = {
  topstepx: { name: 'TopstepX', api: 'https://api.topstepx.com', hub: 'https://rtc.topstepx.com/hubs/user' },
} as const satisfies Record<string, ProjectxFirm>

/** The id of a firm on ProjectX. */
export type ProjectxFirmId = keyof typeof projectxFirms
