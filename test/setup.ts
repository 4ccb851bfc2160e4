// Far from UTC, so that tests notice a time without a zone that is read as local time.
process.env["TZ"] = "Asia/Tokyo";
