/** Is true for the status codes of a served request (RFC 9110, 15.3). */
export const isSuccess = (status: number): boolean => status >= 200 && status < 300;
