/** Picture files: `POST` with the bytes as body, `GET` to download; `?name=` is the SHA-256 with the file extension. Served by the cloud and by the program on this computer. */
export const picturePath = '/api/pictures'
/** The largest picture, in bytes. */
export const largestPicture = 10_000_000
