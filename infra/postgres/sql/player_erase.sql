select erase_player($1, $2) as was_there
