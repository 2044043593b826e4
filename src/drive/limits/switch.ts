/** Is true if limits are judged by plain questions. Tests and contributors set it; users do not need it. */
export const byPlainQuestions = (): boolean => process.env['PETSTORE_LIMITS'] === 'plain';
