/** Whether a host name is this computer; `[::1]` as URLs write it. */
export const isThisComputer = (host: string): boolean => host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host)

/** Whether a text can be a key: visible ASCII characters, without spaces. */
export const isKey = (text: string): boolean => /^[\x21-\x7e]+$/.test(text)

const prefixes = /^(?:bearer\s|sk[-_]|pk[-_]|rk[-_]|gsk_|xai-|hf_|r8_|pplx-|nvapi-|fw_|tgp_v1_|aiza)/i

/** Whether a model name looks like a key in the wrong field: it begins like a key, or contains 24 or more mixed letters and digits in a row. */
export const looksLikeKey = (name: string): boolean => prefixes.test(name) || (name.match(/[A-Za-z0-9]{24,}/g) ?? []).some((run) => /\d/.test(run) && /[A-Za-z]/.test(run))
