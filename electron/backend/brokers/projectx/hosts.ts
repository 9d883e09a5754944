/** A firm on ProjectX: what its users call it, and where its API answers (a URL without a trailing slash). */
export type ProjectxFirm = { readonly name: string; readonly api: string }

/** The firms that ProjectX serves, by the first part of their accounts' keys. */
export const projectxFirms = {
  topstepx: { name: 'TopstepX', api: 'https://api.topstepx.com' },
} as const satisfies Record<string, ProjectxFirm>

/** The id of a firm on ProjectX. */
export type ProjectxFirmId = keyof typeof projectxFirms
