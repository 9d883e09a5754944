/** Whether an address with this host name stays on this computer; `[::1]` as URLs write it. */
export const isThisComputer = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

/** Whether a text can be a key: letters, digits and signs of ASCII, without blanks. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

const prefixes = /^(?:bearer\s|sk[-_]|pk[-_]|rk[-_]|gsk_|xai-|hf_|r8_|pplx-|nvapi-|fw_|tgp_v1_|aiza)/i

/** Whether the name of a model is rather a key that was put into the wrong field: it begins as keys do, or has a run of 24 letters and digits mixed. */
export const looksLikeKey = (name: string): boolean => prefixes.test(name) || (name.match(/[A-Za-z0-9]{24,}/g) ?? []).some((run) => /\d/.test(run) && /[A-Za-z]/.test(run))
